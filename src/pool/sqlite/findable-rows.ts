/** By what people are found, row by row: short texts beside the facts, so that an index over everybody reads fast. */
import { eq } from "drizzle-orm";
import type { Facts } from "../../contract/people/facts.ts";
import { isGenericAddress, normaliseAddress } from "../../identity/address.ts";
import type { Database } from "../../sqlite/database.ts";
import { listIdentifiers } from "../identifiers.ts";
import type { FindableDeveloper } from "../pool.ts";
import { DamagedRow, parseStored, unpackJson } from "./pack-developer.ts";
import { streamRows } from "./read-pool.ts";
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

interface StreamedRow {
  readonly row_id: number;
  readonly keys: string | null;
}

/** @package By login in code-unit order of its lower case; rows without stored keys are read from their facts. */
export function* streamFindables(store: Database): Generator<FindableDeveloper> {
  const { orm } = store;
  const query = orm
    .select({ rowId: developers.rowId, keys: findables.keys })
    .from(developers)
    .leftJoin(findables, eq(findables.rowId, developers.rowId))
    .where(isVisible(store))
    .orderBy(developers.loginKey);
  for (const { row_id: rowId, keys } of streamRows<StreamedRow>(store, query.toSQL())) {
    yield { rowId, ...(keys === null ? readKeys(store, rowId) : unpackFindable(keys)) };
  }
}

function readKeys({ orm }: Database, rowId: number): FindingKeys {
  const row = orm
    .select({ facts: dossiers.facts, card: cards.card })
    .from(dossiers)
    .innerJoin(cards, eq(cards.rowId, dossiers.rowId))
    .where(eq(dossiers.rowId, rowId))
    .get();
  if (!row) throw new DamagedRow("a row has no dossier");
  const { score } = parseStored(row.card) as { readonly score: number };
  return toFindingKeys(unpackJson(row.facts) as Facts, score);
}
