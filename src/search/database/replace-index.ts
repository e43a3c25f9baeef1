import type { PostgresDatabase } from "../../postgres/database.ts";
import { migrateSchema } from "../../postgres/migrate.ts";
import { markRetired, removeRetired } from "./generation-rows.ts";
import { searchSchemaKind } from "./schema.ts";

/**
 * Makes a node rebuild the index, whatever is stored. Nodes search the previous index until then.
 * @param build starts a node, which finds no index and builds one.
 */
export async function replaceIndex(
  database: PostgresDatabase,
  edition: string,
  build: () => Promise<void>,
): Promise<void> {
  await migrateSchema(database, searchSchemaKind);
  await database.transact((statements) => markRetired(statements, edition));
  await build();
  await database.transact(removeRetired);
}
