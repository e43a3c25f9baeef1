/** Locks that PostgreSQL releases when their connection ends, so that a dead node does not block others. */
import { sql } from "drizzle-orm";
import type { PostgresDatabase, PostgresSession } from "../../postgres/database.ts";
import { classifyFailure } from "../../postgres/database-failure.ts";

/** @package The lock numbers in PostgreSQL. They are arbitrary but must never change. */
export const lockKeys = { import: 7_766_101, index: 7_766_102 } as const;

type PoolLock = keyof typeof lockKeys;

/** @package @returns a connection that holds the lock. Undefined if the lock is taken. */
export async function takeLock(
  database: PostgresDatabase,
  lock: PoolLock,
): Promise<PostgresSession | undefined> {
  const connection = await database.reserve();
  try {
    const taken = sql<boolean>`pg_try_advisory_lock(${lockKeys[lock]})`;
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
    await connection.orm.execute(sql`SELECT pg_advisory_unlock(${lockKeys[lock]})`);
  } catch (error) {
    // A lost connection has already released its lock.
    if (classifyFailure(error) === undefined) throw error;
  } finally {
    connection.release();
  }
}
