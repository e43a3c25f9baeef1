import { sql } from "drizzle-orm";
import type { PostgresDatabase, PostgresSession } from "../../postgres/database.ts";
import {
  classifyFailure,
  createAwayFault,
  toDatabaseFault,
} from "../../postgres/database-failure.ts";

/** Any number, as long as it is always the same: PostgreSQL names such locks by numbers. */
const buildLock = 7_766_103;

/**
 * Does what one node does at a time, on the connection that has the lock: it ends with the connection, so that a node that
 * dies never blocks the next.
 *
 * @package
 * @returns whether it was done; not while another node has the lock.
 * @throws Fault database_away, also when the connection was lost: what another may do again is not in doubt.
 */
export async function runUnderBuildLock(
  database: PostgresDatabase,
  work: (session: PostgresSession) => Promise<void>,
): Promise<boolean> {
  const session = await database.reserve();
  try {
    // The server then notices a dead client in the middle of a long statement. Not every system supports it.
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
