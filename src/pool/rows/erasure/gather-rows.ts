/** Finds all rows of one person, so that they can be erased. */
import { max } from "drizzle-orm";
import type { Facts } from "../../../contract/people/facts.ts";
import { fetchRow, type Work } from "../../../queries/work.ts";
import { type Identifier, listIdentifiers, listNames, toLoginKey } from "../../identifiers.ts";
import { findHolders, readFacts, readUnlisted } from "../identifier-index.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { isNamed } from "./names.ts";

/** Everything that the pool's file has about one person, in visible, replaced and staged rows. */
export interface GatheredRows {
  readonly identifiers: Set<Identifier>;
  readonly rowIds: Set<number>;
  /** In lower case. They are not followed, because another developer may have such a login now. */
  readonly formerLogins: Set<string>;
  /** Names in their rows, which a reason must not contain. */
  readonly names: Set<string>;
  /** Rows up to this one were there when the gathering began. */
  readonly newestRowId: number;
}

/**
 * Follows identifiers from row to row until no row adds one: two logins from two sources are one person
 * if they share an address.
 */
export async function gatherRows(
  { read }: PoolContext,
  seed: Iterable<Identifier>,
): Promise<GatheredRows> {
  const newestRowId = await read(findNewest);
  const gathered: GatheredRows = {
    ...{ identifiers: new Set(seed), rowIds: new Set(), newestRowId },
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

/**
 * Examines the rows that were added since.
 *
 * @returns false when one of them adds an identifier: then all must be gathered again.
 */
export function* gatherNewerRows(rows: PoolQueries, gathered: GatheredRows): Work<boolean> {
  const before = gathered.identifiers.size;
  yield* gatherSome(rows, gathered, [...gathered.identifiers], gathered.newestRowId);
  return gathered.identifiers.size === before;
}

function* findNewest({ queries, tables: { developers } }: PoolQueries): Work<number> {
  const newest = yield* fetchRow(queries.select({ rowId: max(developers.rowId) }).from(developers));
  return newest?.rowId ?? 0;
}

/** Examines the rows that may have one of these identifiers. */
function* gatherSome(
  rows: PoolQueries,
  gathered: GatheredRows,
  sought: readonly Identifier[],
  after = 0,
): Work<void> {
  yield* gatherThese(rows, gathered, yield* findHolders(rows, sought, after));
}

/** Examines the next rows of which it is not known what they have. @returns the last of them; undefined when there is none. */
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
  for (let at = 0; at < rowIds.length; at += rowsAtOnce) {
    for (const row of yield* readFacts(rows, rowIds.slice(at, at + rowsAtOnce))) {
      gatherRow(gathered, row);
    }
  }
}

/** Adds the row if it is the person's. */
function gatherRow(
  gathered: GatheredRows,
  { rowId, facts }: { readonly rowId: number; readonly facts: Facts },
): void {
  const { identifiers, rowIds, formerLogins, names } = gathered;
  const own = listIdentifiers(facts);
  if (!own.some((identifier) => identifiers.has(identifier))) return;
  rowIds.add(rowId);
  for (const identifier of own) identifiers.add(identifier);
  for (const login of facts.formerLogins ?? []) formerLogins.add(toLoginKey(login));
  for (const name of listNames(facts)) names.add(name);
}

/** Whether a text names the person. */
export function isPersonNamed(text: string, { identifiers, names }: GatheredRows): boolean {
  const addresses = [...identifiers]
    .filter((identifier) => !identifier.startsWith("account:"))
    .map((identifier) => identifier.slice(identifier.indexOf(":") + 1));
  return isNamed(text, [...names, ...addresses]);
}
