/**
 * Deletes rows that no reader can need any more, in short transactions, so that other writers
 * never wait long: rows that a dead import had staged, and rows that a published import replaced.
 * Call it with the import lock held.
 */
import { and, eq, inArray, isNotNull, isNull, lt, type SQL } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Work } from "../../../queries/work.ts";
import { deleteRows } from "../change-rows.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";

const rowsPerTransaction = 400;
/** How long an index of the previous revision may still ask for its rows. */
const graceMilliseconds = 10 * 60_000;

/** Cleans up after imports that died. */
export async function sweepDead({ read, change }: PoolContext): Promise<void> {
  while (await read(hasDead)) await change(sweepSomeDead);
}

/** Whether something is left of an import that died. */
export function* hasDead(rows: PoolQueries): Work<boolean> {
  return (yield* findUnswept(rows, isNull(rows.tables.imports.revision))) !== undefined;
}

/** One step of `sweepDead`. */
export function* sweepSomeDead(rows: PoolQueries): Work<void> {
  const { developers, imports } = rows.tables;
  const id = yield* findUnswept(rows, isNull(imports.revision));
  if (id === undefined) return;
  const isDone =
    !(yield* deleteSome(rows, eq(developers.importId, id))) && !(yield* unmarkSome(rows, id));
  if (isDone) yield* markSwept(rows, id);
}

/** Deletes the rows that imports replaced, once every index has had time to move on. */
export async function sweepReplaced({ read, change }: PoolContext, now: Date): Promise<void> {
  const before = new Date(now.getTime() - graceMilliseconds).toISOString();
  const findOld = (rows: PoolQueries) => {
    const { revision, committedAt } = rows.tables.imports;
    return findUnswept(rows, and(isNotNull(revision), lt(committedAt, before)));
  };
  for (let id = await read(findOld); id !== undefined; id = await read(findOld)) {
    const old = id;
    await change(function* (rows) {
      const isReplaced = eq(rows.tables.developers.supersededBy, old);
      if (!(yield* deleteSome(rows, isReplaced))) yield* markSwept(rows, old);
    });
  }
}

function* findUnswept(
  { queries, tables: { imports } }: PoolQueries,
  condition: SQL | undefined,
): Work<number | undefined> {
  const row = yield* fetchRow(
    queries
      .select({ id: imports.id })
      .from(imports)
      .where(and(eq(imports.isSwept, false), condition))
      .orderBy(imports.id)
      .limit(1),
  );
  return row?.id;
}

function* markSwept({ queries, tables: { imports } }: PoolQueries, id: number): Work<void> {
  yield* execute(queries.update(imports).set({ isSwept: true }).where(eq(imports.id, id)));
}

/** @returns whether there were any. */
function* deleteSome(rows: PoolQueries, condition: SQL): Work<boolean> {
  const rowIds = yield* listSome(rows, condition);
  yield* deleteRows(rows, rowIds);
  return rowIds.length > 0;
}

/** Rows that a dead import would have replaced stay. @returns whether there were any. */
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
  const rows = yield* fetchRows(
    queries
      .select({ rowId: developers.rowId })
      .from(developers)
      .where(condition)
      .limit(rowsPerTransaction),
  );
  return rows.map(({ rowId }) => rowId);
}
