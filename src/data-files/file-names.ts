/**
 * The file names of the databases in a data folder. Archives and copies use this order: `control.db` first, so that the
 * pool is never older than `control.db` says.
 */
import { join } from "node:path";

export const databaseNames = {
  control: "control.db",
  pool: "pool.db",
  ledger: "ingest.db",
  forges: "forges.db",
} as const;

export type DatabaseRole = keyof typeof databaseNames;
export type DatabaseName = (typeof databaseNames)[DatabaseRole];

/** The path of each database in a folder. */
export type FolderPaths = Readonly<Record<DatabaseRole, string>>;

export function placeDatabases(folder: string): FolderPaths {
  const paths = Object.entries(databaseNames).map(([role, name]) => [role, join(folder, name)]);
  return Object.fromEntries(paths);
}

/** The settings file that an operator writes. */
export const settingsName = "roster.toml";
/** The in-memory index as a file, which the next start maps into memory. */
export const indexName = "search.index";
