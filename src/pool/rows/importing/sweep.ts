/**
 * Deletes rows that no reader needs any more: rows staged by a dead import, and rows that a published import replaced. Requires
 * the import lock.
 */
import { and, eq, inArray, isNull, lt, or, type SQL } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Work } from "../../../queries/work.ts";
import { deleteRows } from "../change-rows.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";

const rowsPerTransaction = 400;
/** The time in which an index of the previous revision may still read its rows. */
const graceMilliseconds = 10 * 60_000;

/** Deletes all rows that no reader needs any more. */
export async function sweep({ read, change }: PoolContext, now: Date): Promise<void> {
  while (await read((rows) => hasWaste(rows, now))) await change((rows) => sweepSome(rows, now));
}

export function* hasWaste(rows: PoolQueries, now: Date): Work<boolean> {
  return (yield* findUnswept(rows, now)) !== undefined;
}

/** Runs one step of `sweep`. */
export function* sweepSome(rows: PoolQueries, now: Date): Work<void> {
  const found = yield* findUnswept(rows, now);
  if (!found) return;
  const { id, revision } = found;
  const { importId, supersededBy } = rows.tables.developers;
  const isDead = revision === null;
  const rowIds = yield* listSome(rows, eq(isDead ? importId : supersededBy, id));
  yield* deleteRows(rows, rowIds);
  if (rowIds.length > 0 || (isDead && (yield* unmarkSome(rows, id)))) return;
  const { imports, departures } = rows.tables;
  const areDead = eq(departures.importId, id);
  if (isDead) yield* execute(rows.queries.delete(departures).where(areDead));
  yield* execute(rows.queries.update(imports).set({ isSwept: true }).where(eq(imports.id, id)));
}

/** Finds an import that died, or one that replaced rows long ago. */
function* findUnswept({ queries, tables: { imports } }: PoolQueries, now: Date) {
  const before = new Date(now.getTime() - graceMilliseconds).toISOString();
  const { id, revision, isSwept, committedAt } = imports;
  const areWaste = and(eq(isSwept, false), or(isNull(revision), lt(committedAt, before)));
  const waste = queries.select({ id, revision }).from(imports).where(areWaste);
  return yield* fetchRow(waste.orderBy(id).limit(1));
}

/** Unmarks the rows that a dead import would have replaced. @returns whether there were any. */
function* unmarkSome(rows: PoolQueries, importId: number): Work<boolean> {
  const { queries, tables } = rows;
  const { developers } = tables;
  const rowIds = yield* listSome(rows, eq(developers.supersededBy, importId));
  if (rowIds.length === 0) return false;
  const areSome = inArray(developers.rowId, rowIds);
  yield* execute(queries.update(developers).set({ supersededBy: null }).where(areSome));
  return true;
}

function* listSome(
  { queries, tables: { developers } }: PoolQueries,
  condition: SQL,
): Work<number[]> {
  const { rowId } = developers;
  const some = queries.select({ rowId }).from(developers).where(condition);
  const rows = yield* fetchRows(some.limit(rowsPerTransaction));
  return rows.map((row) => row.rowId);
}
