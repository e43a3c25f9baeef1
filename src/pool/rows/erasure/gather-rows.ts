/** Finds all rows of one person, so that they can be erased. */
import { max } from "drizzle-orm";
import type { Facts } from "../../../contract/people/facts.ts";
import { fetchRow, splitInBatches, type Work } from "../../../queries/work.ts";
import { type Identifier, listIdentifiers, listNames, toLoginKey } from "../../identifiers.ts";
import { findHolders, readFacts, readUnlisted } from "../identifier-index.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { findReplaced, findVisible } from "../visible.ts";
import { isNamed } from "./names.ts";

/** All rows about one person: visible, replaced and staged. */
export interface GatheredRows {
  readonly identifiers: Set<Identifier>;
  /** Rows with identifiers that lead to further rows of the person. */
  readonly rowIds: Set<number>;
  /** Replaced rows. Their identifiers are not followed, because a replaced row may join two people. */
  readonly replacedRowIds: Set<number>;
  /** Former logins in lower case. They are not followed, because each may now belong to another developer. */
  readonly formerLogins: Set<string>;
  /** Names of the person. The reason of an erasure must not contain them. */
  readonly names: Set<string>;
  /** The newest row of the pool when the search began. */
  readonly newestRowId: number;
  /** Replaced rows whose identifiers are followed. They exist only if the person has no other rows. */
  readonly departed: ReadonlySet<number>;
}

/** Gathers the rows of the person with one of these identifiers. A person with only replaced rows is found too. */
export async function gatherPerson(
  context: PoolContext,
  seed: readonly Identifier[],
): Promise<GatheredRows> {
  const person = await gatherRows(context, seed);
  if (person.rowIds.size > 0) return person;
  const departed = await context.read((rows) => findDeparted(rows, person.replacedRowIds));
  return departed.size > 0 ? gatherRows(context, seed, departed) : person;
}

function* findDeparted(
  rows: PoolQueries,
  replaced: ReadonlySet<number>,
): Work<ReadonlySet<number>> {
  const found = (yield* readFacts(rows, [...replaced])).map(({ rowId, facts }) => ({
    ...{ rowId, loginKey: toLoginKey(facts.login) },
  }));
  const visible = yield* findVisible(
    rows,
    found.map(({ loginKey }) => loginKey),
  );
  const departed = found.filter(({ loginKey }) => !visible.has(loginKey));
  return new Set(departed.map(({ rowId }) => rowId));
}

/**
 * Follows identifiers from row to row until no row adds an identifier. For example, two logins with the same address are one
 * person.
 * @param departed replaced rows that are followed too.
 */
export async function gatherRows(
  { read }: PoolContext,
  seed: readonly Identifier[],
  departed: ReadonlySet<number> = new Set(),
): Promise<GatheredRows> {
  const newestRowId = await read(findNewest);
  const gathered: GatheredRows = {
    ...{ identifiers: new Set(seed), newestRowId, departed },
    ...{ rowIds: new Set(), replacedRowIds: new Set() },
    ...{ formerLogins: new Set(), names: new Set() },
  };
  for (let fresh = [...gathered.identifiers]; fresh.length > 0; ) {
    const before = gathered.identifiers.size;
    const sought = fresh;
    await read((rows) => gatherSome(rows, gathered, sought));
    for (let last: number | undefined = 0; last !== undefined; ) {
      const after: number = last;
      last = await read((rows) => gatherUnlisted(rows, gathered, after));
    }
    fresh = [...gathered.identifiers].slice(before);
  }
  return gathered;
}

/** Adds rows newer than `newestRowId`. @returns false if such a row has a new identifier: then gather all rows again. */
export function* gatherNewerRows(rows: PoolQueries, gathered: GatheredRows): Work<boolean> {
  const before = gathered.identifiers.size;
  yield* gatherSome(rows, gathered, [...gathered.identifiers], gathered.newestRowId);
  return gathered.identifiers.size === before;
}

function* findNewest({ queries, tables: { developers } }: PoolQueries): Work<number> {
  const newest = yield* fetchRow(queries.select({ rowId: max(developers.rowId) }).from(developers));
  return newest?.rowId ?? 0;
}

/** Adds the person's rows that have one of these identifiers. */
function* gatherSome(
  rows: PoolQueries,
  gathered: GatheredRows,
  sought: readonly Identifier[],
  after = 0,
): Work<void> {
  yield* gatherThese(rows, gathered, yield* findHolders(rows, sought, after));
}

/** Adds the person's rows among the next rows without stored hashes. @returns the last row examined. */
function* gatherUnlisted(
  rows: PoolQueries,
  gathered: GatheredRows,
  after: number,
): Work<number | undefined> {
  const some = yield* readUnlisted(rows, after);
  yield* gatherThese(rows, gathered, some);
  return some.at(-1);
}

const rowsAtOnce = 500;

function* gatherThese(
  rows: PoolQueries,
  gathered: GatheredRows,
  rowIds: readonly number[],
): Work<void> {
  for (const some of splitInBatches(rowIds, rowsAtOnce)) {
    const replaced = yield* findReplaced(rows, some);
    for (const { rowId, facts } of yield* readFacts(rows, some)) {
      const own = listIdentifiers(facts);
      if (!own.some((identifier) => gathered.identifiers.has(identifier))) continue;
      if (replaced.has(rowId) && !gathered.departed.has(rowId)) gathered.replacedRowIds.add(rowId);
      else followRow(gathered, rowId, facts);
    }
  }
}

function followRow(
  { identifiers, rowIds, formerLogins, names }: GatheredRows,
  rowId: number,
  facts: Facts,
): void {
  rowIds.add(rowId);
  for (const identifier of listIdentifiers(facts)) identifiers.add(identifier);
  for (const login of facts.formerLogins ?? []) formerLogins.add(toLoginKey(login));
  for (const name of listNames(facts)) names.add(name);
}

/** Whether a text contains a name, login or address of the person. */
export function isPersonNamed(text: string, { identifiers, names }: GatheredRows): boolean {
  const addresses = [...identifiers]
    .filter((identifier) => !identifier.startsWith("account:"))
    .map((identifier) => identifier.slice(identifier.indexOf(":") + 1));
  return isNamed(text, [...names, ...addresses]);
}
