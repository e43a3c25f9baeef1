/** How the pool is changed: one transaction after the other, and what each change writes besides its rows. */
import { inArray, sql } from "drizzle-orm";
import type { PostgresDatabase, PostgresSession, Statements } from "../../postgres/database.ts";
import * as tables from "./tables.ts";

const { developers, poolState } = tables;
/** All that belongs to a row of `developers`. */
const partsOfRow = [
  tables.cards,
  tables.rankingFeatures,
  tables.dossiers,
  tables.formerLogins,
  tables.findables,
] as const;

/** @package Where changes are made: on any connection, or on one that holds the lock of imports. */
export interface PoolConnection extends Pick<PostgresDatabase, "transact"> {
  readonly orm: Statements;
}

/**
 * Runs a transaction that nothing else changes the pool beside: it waits until the one before has ended, and sees all that
 * it did. Keep it short.
 *
 * @package
 */
export function applyChange<T>(
  { transact }: Pick<PoolConnection, "transact">,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  return transact(async (statements) => {
    await statements.update(poolState).set({ changes: sql`${poolState.changes} + 1` });
    return work(statements);
  });
}

/** @package For work that takes longer than the answer to a call may. */
export async function runOnOwnConnection<T>(
  database: Pick<PostgresDatabase, "reserve">,
  work: (connection: PostgresSession) => Promise<T>,
): Promise<T> {
  const connection = await database.reserve();
  try {
    await connection.orm.execute(sql`SET statement_timeout = 0`);
    return await work(connection);
  } finally {
    await connection.orm.execute(sql`RESET statement_timeout`).catch(() => {});
    connection.release();
  }
}

/** @package Removes these rows from all tables. */
export async function deleteRows(orm: Statements, rowIds: readonly number[]): Promise<void> {
  if (rowIds.length === 0) return;
  const some = [...rowIds];
  for (const part of partsOfRow) await orm.delete(part).where(inArray(part.rowId, some));
  await orm.delete(developers).where(inArray(developers.rowId, some));
}

/** @package Raises the revision if there is a change, so that every node notices. @returns the revision. */
export async function advanceRevision(orm: Statements, isChange: boolean): Promise<number> {
  const step = isChange ? 1 : 0;
  const [state] = await orm
    .update(poolState)
    .set({ revision: sql`${poolState.revision} + ${step}` })
    .returning({ revision: poolState.revision });
  return state?.revision ?? 0;
}
