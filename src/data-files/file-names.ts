/**
 * The file names of the databases in a data folder. They are copied in this order, so that a copied pool is never older than its
 * record in `control.db`.
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

export type FolderPaths = Readonly<Record<DatabaseRole, string>>;

export function placeDatabases(folder: string): FolderPaths {
  const paths = Object.entries(databaseNames).map(([role, name]) => [role, join(folder, name)]);
  return Object.fromEntries(paths);
}

export const settingsName = "roster.toml";
export const indexName = "search.index";
