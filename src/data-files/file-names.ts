/**
 * What the databases of a data folder are called. The order is that of an archive and of copying: `control.db` first, so that the
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

/** Where each database of a folder is. */
export type FolderPaths = Readonly<Record<DatabaseRole, string>>;

export function placeDatabases(folder: string): FolderPaths {
  const paths = Object.entries(databaseNames).map(([role, name]) => [role, join(folder, name)]);
  return Object.fromEntries(paths);
}

/** The settings that an operator writes. */
export const settingsName = "roster.toml";
/** The index in memory, as a file that the next start maps. */
export const indexName = "search.index";
