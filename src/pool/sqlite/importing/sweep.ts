/**
 * Deletes rows that nobody can be reading any more, in short transactions, so that other writers
 * never wait long for it: rows that a dead import had staged, and rows that a published import replaced.
 */
import { and, eq, inArray, isNotNull, isNull, lt } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import { deleteRows } from "../changing.ts";
import { developers, imports } from "../tables.ts";

const rowsPerBatch = 400;
/** How long an index of the previous revision may still ask for its rows. */
const graceMilliseconds = 10 * 60_000;

/**
 * Cleans up after imports that died. Call it with the import lock held.
 *
 * @package
 * @param batches maximum number of short transactions; the rest waits for the next call.
 */
export function sweepDead(store: Database, batches = Number.POSITIVE_INFINITY): void {
  let left = batches;
  for (const { id } of unswept(store, isNull(imports.revision))) {
    while (left > 0 && deleteSome(store, eq(developers.importId, id)) > 0) left -= 1;
    while (left > 0 && unmarkSome(store, id) > 0) left -= 1;
    if (left <= 0) return;
    store.orm.update(imports).set({ isSwept: true }).where(eq(imports.id, id)).run();
  }
}

/** @package */
export function hasDead(store: Database): boolean {
  return unswept(store, isNull(imports.revision)).length > 0;
}

/**
 * Deletes the rows that imports replaced, once every index has had time to move on.
 *
 * @package
 */
export function sweepReplaced(store: Database, now: Date): void {
  const before = new Date(now.getTime() - graceMilliseconds).toISOString();
  const isOld = and(isNotNull(imports.revision), lt(imports.committedAt, before));
  for (const { id } of unswept(store, isOld)) {
    while (deleteSome(store, eq(developers.supersededBy, id)) > 0);
    store.orm.update(imports).set({ isSwept: true }).where(eq(imports.id, id)).run();
  }
}

type Condition = ReturnType<typeof and>;

function unswept({ orm }: Database, condition: Condition) {
  return orm
    .select({ id: imports.id })
    .from(imports)
    .where(and(eq(imports.isSwept, false), condition))
    .orderBy(imports.id)
    .all();
}

function deleteSome(store: Database, condition: Condition): number {
  return inBatch(store, condition, (rowIds) => deleteRows(store, rowIds));
}

/** Rows that a dead import would have replaced stay. */
function unmarkSome(store: Database, importId: number): number {
  return inBatch(store, eq(developers.supersededBy, importId), (rowIds) => {
    store.orm
      .update(developers)
      .set({ supersededBy: null })
      .where(inArray(developers.rowId, rowIds))
      .run();
  });
}

function inBatch({ orm }: Database, condition: Condition, act: (rowIds: number[]) => void): number {
  const transact = () => {
    const rows = orm
      .select({ rowId: developers.rowId })
      .from(developers)
      .where(condition)
      .limit(rowsPerBatch)
      .all();
    act(rows.map(({ rowId }) => rowId));
    return rows.length;
  };
  return orm.transaction(transact, { behavior: "immediate" });
}
