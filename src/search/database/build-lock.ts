import { sql } from "drizzle-orm";
import type { PostgresDatabase, PostgresSession } from "../../postgres/database.ts";
import {
  classifyFailure,
  createAwayFault,
  toDatabaseFault,
} from "../../postgres/database-failure.ts";

/** The number of the advisory lock in PostgreSQL. It is arbitrary but must never change. */
const buildLock = 7_766_103;

/**
 * Runs work that only one node may do at a time, on the connection that holds the lock. The lock ends with the connection, so a
 * node that dies does not block the others.
 * @package
 * @returns whether the work was done. False means that another node holds the lock.
 * @throws Fault `database_away` if the connection is lost. The caller may then repeat the work.
 */
export async function runUnderBuildLock(
  database: PostgresDatabase,
  work: (session: PostgresSession) => Promise<void>,
): Promise<boolean> {
  const session = await database.reserve();
  try {
    // Lets the server notice a dead client during a long statement. Not every operating system supports this.
    await session.orm.execute(sql`SET client_connection_check_interval = '1s'`).catch(() => {});
    const [row] = (await session.orm.execute(
      sql`SELECT pg_try_advisory_lock(${buildLock}::bigint) AS held`,
    )) as unknown as { held: boolean }[];
    if (!row?.held) return false;
    try {
      await work(session);
    } finally {
      await session.orm.execute(sql`SELECT pg_advisory_unlock(${buildLock}::bigint)`);
    }
    return true;
  } catch (error) {
    const { place } = database;
    throw classifyFailure(error) === "lost"
      ? createAwayFault(error, place)
      : toDatabaseFault(error, place);
  } finally {
    session.release();
  }
}
