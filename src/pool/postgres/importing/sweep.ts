/**
 * Deletes rows that nobody can be reading any more, in short transactions: rows that a dead import had staged, and rows that
 * a published import replaced. Call it with the import lock held.
 */
import { and, eq, inArray, isNotNull, isNull, lt, type SQL } from "drizzle-orm";
import type { Statements } from "../../../postgres/database.ts";
import { applyChange, deleteRows, type PoolConnection } from "../changing.ts";
import { developers, imports } from "../tables.ts";

const rowsPerBatch = 400;
/** How long an index of the previous revision may still ask for its rows. */
const graceMilliseconds = 10 * 60_000;

/** @package @param batches maximum number of short transactions; the rest waits for the next call. */
export async function sweepDead(
  connection: PoolConnection,
  batches = Number.POSITIVE_INFINITY,
): Promise<void> {
  let left = batches;
  for (const id of await listUnswept(connection, isNull(imports.revision))) {
    while (left > 0 && (await deleteSome(connection, eq(developers.importId, id))) > 0) left -= 1;
    while (left > 0 && (await unmarkSome(connection, id)) > 0) left -= 1;
    if (left <= 0) return;
    await markSwept(connection, id);
  }
}

/** @package */
export async function hasDead(connection: PoolConnection): Promise<boolean> {
  return (await listUnswept(connection, isNull(imports.revision))).length > 0;
}

/** @package Deletes the rows that imports replaced, once every index has had time to move on. */
export async function sweepReplaced(connection: PoolConnection, now: Date): Promise<void> {
  const before = new Date(now.getTime() - graceMilliseconds).toISOString();
  const isOld = and(isNotNull(imports.revision), lt(imports.committedAt, before));
  for (const id of await listUnswept(connection, isOld)) {
    while ((await deleteSome(connection, eq(developers.supersededBy, id))) > 0);
    await markSwept(connection, id);
  }
}

async function markSwept({ orm }: PoolConnection, id: number): Promise<void> {
  await orm.update(imports).set({ isSwept: true }).where(eq(imports.id, id));
}

async function listUnswept(
  { orm }: PoolConnection,
  condition: SQL | undefined,
): Promise<readonly number[]> {
  const rows = await orm
    .select({ id: imports.id })
    .from(imports)
    .where(and(eq(imports.isSwept, false), condition))
    .orderBy(imports.id);
  return rows.map(({ id }) => id);
}

function deleteSome(connection: PoolConnection, condition: SQL): Promise<number> {
  return inBatch(connection, condition, deleteRows);
}

/** Rows that a dead import would have replaced stay. */
function unmarkSome(connection: PoolConnection, importId: number): Promise<number> {
  return inBatch(connection, eq(developers.supersededBy, importId), async (orm, rowIds) => {
    if (rowIds.length === 0) return;
    await orm
      .update(developers)
      .set({ supersededBy: null })
      .where(inArray(developers.rowId, rowIds));
  });
}

function inBatch(
  connection: PoolConnection,
  condition: SQL,
  act: (orm: Statements, rowIds: number[]) => Promise<void>,
): Promise<number> {
  return applyChange(connection, async (orm) => {
    const rows = await orm
      .select({ rowId: developers.rowId })
      .from(developers)
      .where(condition)
      .limit(rowsPerBatch);
    await act(
      orm,
      rows.map(({ rowId }) => rowId),
    );
    return rows.length;
  });
}
