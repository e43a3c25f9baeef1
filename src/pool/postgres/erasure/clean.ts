import { sql } from "drizzle-orm";
import type { PostgresDatabase } from "../../../postgres/database.ts";
import { runOnOwnConnection } from "../postgres-context.ts";
import { poolTables, searchIndexes } from "../tables.ts";

/** What names people or describes them. */
const personal = [
  poolTables.developers,
  poolTables.cards,
  poolTables.rankingFeatures,
  poolTables.dossiers,
  poolTables.formerLogins,
  poolTables.findables,
  poolTables.identifiers,
  poolTables.repositoryAuthors,
  poolTables.repositoryOwnership,
  poolTables.decisions,
  searchIndexes,
];

/**
 * Rewrites the tables without the deleted rows, one after the other; readers of each wait meanwhile. What the database's
 * own logs, standbys' logs and backups still have is beyond it.
 *
 * @returns what prevented it, in words; undefined on success.
 */
export async function cleanTables(database: PostgresDatabase): Promise<string | undefined> {
  try {
    await runOnOwnConnection(database, async ({ orm }) => {
      for (const table of personal) await orm.execute(sql`VACUUM (FULL, ANALYZE) ${table}`);
    });
    return undefined;
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error;
    return `${database.place}: ${message.replace(/\.$/, "")}`;
  }
}
