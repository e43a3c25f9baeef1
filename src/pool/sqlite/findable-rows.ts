/** By what people are found, row by row: short texts beside the facts, so that an index over everybody reads fast. */
import { and, eq, gt, sql } from "drizzle-orm";
import type { Assessment } from "../../contract/people/assessment.ts";
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

/** @package */
export function packFindable(assessment: ShownDeveloper): string {
  const { login, name, isHuman, score, formerLogins, accounts, emails } = toFindingKeys(assessment);
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

type ShownDeveloper = Pick<Assessment, "facts" | "analysis" | "card">;

/** The name and the published addresses are those that answers show, which people files and a setting may decide. */
function toFindingKeys({ facts, analysis, card }: ShownDeveloper): FindingKeys {
  const identifiers = listIdentifiers(facts);
  const published = listOnce(analysis.emails.emails.map(({ address }) => address));
  const sources = [facts, ...(facts.supplements ?? [])];
  const known = listOnce(sources.flatMap(({ emails }) => emails.map(({ address }) => address)));
  return {
    login: facts.login,
    name: card.name ?? facts.profile.name ?? "",
    isHuman: (facts.class ?? "human") === "human",
    score: card.score,
    formerLogins: facts.formerLogins ?? [],
    accounts: identifiers.flatMap((identifier) => accountForm.exec(identifier)?.[1] ?? []),
    emails: { published, unpublished: known.filter((address) => !published.includes(address)) },
  };
}

/** Normalises addresses; one that several people use finds none of them. */
function listOnce(addresses: readonly string[]): readonly string[] {
  const normalised = addresses.map(normaliseAddress);
  return [...new Set(normalised)].filter((address) => !isGenericAddress(address));
}

const accountForm = /^account:([^/]*\/.*)$/;

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
    .select({ facts: dossiers.facts, analysis: dossiers.analysis, card: cards.card })
    .from(dossiers)
    .innerJoin(cards, eq(cards.rowId, dossiers.rowId))
    .where(eq(dossiers.rowId, rowId))
    .get();
  return (
    row &&
    toFindingKeys({
      facts: unpackJson(row.facts) as Assessment["facts"],
      analysis: unpackJson(row.analysis) as Assessment["analysis"],
      card: parseStored(row.card) as Assessment["card"],
    })
  );
}
