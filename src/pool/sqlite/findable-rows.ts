/** By what people are found, row by row: short texts beside the facts, so that an index over everybody reads fast. */
import { and, eq, gt, sql } from "drizzle-orm";
import type { Facts } from "../../contract/people/facts.ts";
import { isGenericAddress, normaliseAddress } from "../../identity/address.ts";
import { type Database, prepareOnce } from "../../sqlite/database.ts";
import { listIdentifiers } from "../identifiers.ts";
import type { FindableDeveloper } from "../pool.ts";
import { parseStored, unpackJson } from "./pack-developer.ts";
import { cards, developers, dossiers, findables } from "./tables.ts";
import { isVisible } from "./visible.ts";

type FindingKeys = Omit<FindableDeveloper, "rowId">;

type StoredKeys = [
  login: string,
  name: string,
  isHuman: 0 | 1,
  score: number,
  formerLogins: readonly string[],
  accounts: readonly string[],
  published: readonly string[],
  unpublished: readonly string[],
];

/** @package @param score shown on the card. */
export function packFindable(facts: Facts, score: number): string {
  const { login, name, isHuman, formerLogins, accounts, emails } = toFindingKeys(facts, score);
  const stored: StoredKeys = [
    ...([login, name, isHuman ? 1 : 0, score, formerLogins, accounts] as const),
    ...([emails.published, emails.unpublished] as const),
  ];
  return JSON.stringify(stored);
}

function unpackFindable(text: string): FindingKeys {
  const stored = parseStored(text) as StoredKeys;
  const [login, name, isHuman, score, formerLogins, accounts, published, unpublished] = stored;
  const emails = { published, unpublished };
  return { login, name, isHuman: isHuman === 1, score, formerLogins, accounts, emails };
}

function toFindingKeys(facts: Facts, score: number): FindingKeys {
  const addresses = (wanted: boolean) =>
    facts.emails
      .filter(({ published }) => published === wanted)
      .map(({ address }) => normaliseAddress(address))
      .filter((address) => !isGenericAddress(address));
  return {
    login: facts.login,
    name: facts.profile.name ?? "",
    isHuman: (facts.class ?? "human") === "human",
    score,
    formerLogins: facts.formerLogins ?? [],
    accounts: listIdentifiers(facts).flatMap(
      (identifier) => accountForm.exec(identifier)?.[1] ?? [],
    ),
    emails: { published: addresses(true), unpublished: addresses(false) },
  };
}

const accountForm = /^account:(.*\/.*)$/;

const rowsAtOnce = 256;

/**
 * Streams by login in code-unit order of its lower case; rows without stored keys are read from their facts. No
 * statement stays open between two batches, because a server that streams must go on seeing what others write.
 *
 * @package
 */
export function createFindableStream(store: Database): () => Generator<FindableDeveloper> {
  const batchAfter = prepareOnce(() =>
    store.orm
      .select({
        rowId: developers.rowId,
        loginKey: developers.loginKey,
        keys: findables.keys,
      })
      .from(developers)
      .leftJoin(findables, eq(findables.rowId, developers.rowId))
      .where(and(gt(developers.loginKey, sql.placeholder("last")), isVisible(store)))
      .orderBy(developers.loginKey)
      .limit(rowsAtOnce),
  );
  return function* () {
    for (let last: string | undefined = ""; last !== undefined; ) {
      const batch = batchAfter().all({ last });
      for (const { rowId, keys } of batch) {
        const found = keys === null ? readKeys(store, rowId) : unpackFindable(keys);
        if (found) yield { rowId, ...found };
      }
      last = batch.at(-1)?.loginKey;
    }
  };
}

/** @returns undefined when the row was erased since it was listed. */
function readKeys({ orm }: Database, rowId: number): FindingKeys | undefined {
  const row = orm
    .select({ facts: dossiers.facts, card: cards.card })
    .from(dossiers)
    .innerJoin(cards, eq(cards.rowId, dossiers.rowId))
    .where(eq(dossiers.rowId, rowId))
    .get();
  if (!row) return undefined;
  const { score } = parseStored(row.card) as { readonly score: number };
  return toFindingKeys(unpackJson(row.facts) as Facts, score);
}
