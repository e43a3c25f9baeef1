/**
 * Finds rows by hashes of identifiers. Two identifiers may have the same hash, so callers must also check the facts of the rows.
 */
import { and, asc, gt, inArray } from "drizzle-orm";
import type { Facts } from "../../contract/people/facts.ts";
import {
  execute,
  fetchRow,
  fetchRows,
  insertRows,
  splitInBatches,
  type Work,
} from "../../queries/work.ts";
import { listSought, type Sought } from "../identifiers.ts";
import { hashIdentifiers } from "./hash-identifiers.ts";
import type { PoolContext, PoolQueries } from "./pool-context.ts";
import { unpackJson } from "./unpack.ts";

/** The most hashes sought by one query, far below the limits of both databases. */
const hashesPerQuery = 10_000;

/**
 * @param after finds only rows with a higher id.
 * @returns all rows that have one of these identifiers, ascending. Other rows may be among them.
 */
export function* findHolders(
  { queries, tables: { identifiers } }: PoolQueries,
  sought: readonly Sought[],
  after = 0,
): Work<readonly number[]> {
  const { rowId, hash } = identifiers;
  const hashes = hashIdentifiers(sought);
  const found = new Set<number>();
  for (const some of splitInBatches(hashes, hashesPerQuery)) {
    const isSought = and(inArray(hash, some), gt(rowId, after));
    const rows = yield* fetchRows(queries.select({ rowId }).from(identifiers).where(isSought));
    for (const row of rows) found.add(row.rowId);
  }
  return [...found].sort((a, b) => a - b);
}

/** Returns the next rows without stored hashes. An earlier release wrote such rows. */
export function* readUnlisted(
  { queries, tables: { unlistedRows } }: PoolQueries,
  after: number,
): Work<readonly number[]> {
  const { rowId } = unlistedRows;
  const next = queries.select({ rowId }).from(unlistedRows).where(gt(rowId, after));
  const rows = yield* fetchRows(next.orderBy(asc(rowId)).limit(rowsAtOnce));
  return rows.map((row) => row.rowId);
}

const rowsAtOnce = 400;

/** Stores the hashes of rows that have none yet, in short transactions. */
export async function listUnlisted({ read, change }: PoolContext): Promise<void> {
  const isLeft = (rows: PoolQueries) =>
    fetchRow(rows.queries.select().from(rows.tables.unlistedRows).limit(1));
  while (await read(isLeft)) await change(listSome);
}

function* listSome(rows: PoolQueries): Work<void> {
  const { queries, tables } = rows;
  const { identifiers, unlistedRows } = tables;
  const some = yield* readUnlisted(rows, 0);
  const entries = (yield* readFacts(rows, some)).flatMap(({ rowId, facts }) =>
    hashIdentifiers(listSought(facts)).map((hash) => ({ rowId, hash })),
  );
  yield* insertRows(identifiers, entries);
  yield* execute(queries.delete(unlistedRows).where(inArray(unlistedRows.rowId, some as number[])));
}

/** Returns the facts of these rows. Leaves out deleted rows. */
export function* readFacts(
  { queries, tables: { dossiers } }: PoolQueries,
  rowIds: readonly number[],
): Work<readonly { readonly rowId: number; readonly facts: Facts }[]> {
  if (rowIds.length === 0) return [];
  const { rowId, facts } = dossiers;
  const areSome = inArray(rowId, [...rowIds]);
  const stored = yield* fetchRows(queries.select({ rowId, facts }).from(dossiers).where(areSome));
  return stored.map((row) => ({ rowId: row.rowId, facts: unpackJson(row.facts) as Facts }));
}
