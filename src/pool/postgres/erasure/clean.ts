import { sql } from "drizzle-orm";
import type { PostgresDatabase } from "../../../postgres/database.ts";
import { runOnOwnConnection } from "../postgres-context.ts";
import { poolTables, searchIndexes } from "../tables.ts";

/** Tables with data about people. */
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
  poolTables.departures,
  searchIndexes,
];

/**
 * Rewrites each table without the deleted rows. Copies in backups and logs of the database remain.
 * @returns undefined on success; otherwise the reason of the failure, in words.
 */
export async function cleanTables(
  database: PostgresDatabase,
  tables: readonly (typeof personal)[number][] = personal,
): Promise<string | undefined> {
  try {
    await runOnOwnConnection(database, async ({ orm }) => {
      for (const table of tables) await orm.execute(sql`VACUUM (FULL, ANALYZE) ${table}`);
    });
    return undefined;
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error;
    return `${database.place}: ${message.replace(/\.$/, "")}`;
  }
}
