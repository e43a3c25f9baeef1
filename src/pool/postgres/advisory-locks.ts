/** Locks that end with their connection, so that a node that dies never blocks the next. */
import { sql } from "drizzle-orm";
import type { PostgresDatabase, PostgresSession } from "../../postgres/database.ts";
import { classifyFailure } from "../../postgres/database-failure.ts";

/** Any numbers, as long as they are always the same: PostgreSQL names such locks by numbers. */
const keys = { import: 7_766_101, index: 7_766_102 } as const;

/** @package */
export type PoolLock = keyof typeof keys;

/** @package For queries on `pg_locks`. */
export function getLockKey(lock: PoolLock): number {
  return keys[lock];
}

/** @package @returns the connection that holds it; undefined when another one does. */
export async function takeLock(
  database: PostgresDatabase,
  lock: PoolLock,
): Promise<PostgresSession | undefined> {
  const connection = await database.reserve();
  try {
    const taken = sql<boolean>`pg_try_advisory_lock(${keys[lock]})`;
    const [row] = await connection.orm.select({ isHeld: taken }).from(sql`(SELECT 1) AS once`);
    if (row?.isHeld) return connection;
  } catch (error) {
    connection.release();
    throw error;
  }
  connection.release();
  return undefined;
}

/** @package */
export async function releaseLock(connection: PostgresSession, lock: PoolLock): Promise<void> {
  try {
    await connection.orm.execute(sql`SELECT pg_advisory_unlock(${keys[lock]})`);
  } catch (error) {
    // A lost connection has ended its lock, and what failed before says why.
    if (classifyFailure(error) === undefined) throw error;
  } finally {
    connection.release();
  }
}
