import { join } from "node:path";
import type { DatabaseName } from "../data-files/file-names.ts";
import { type DatabaseFigure, summariseDatabase } from "../sqlite/copy-database.ts";
import { archivedNames } from "./archive-form.ts";
import type { BackupManifest } from "./manifest.ts";

/** What the manifest says about the content of a folder's databases. @package */
export type Holdings = Pick<BackupManifest, "instance" | "audit" | "counts">;

type FigureName = keyof BackupManifest["counts"] | "instance" | "auditSequence" | "auditHash";

const lastAudit = "FROM audit ORDER BY sequence DESC LIMIT 1";
const count = (of: DatabaseName, table: string, what = "count(*)") => ({
  ...{ of, table, sql: `SELECT ${what} AS value FROM ${table}` },
});
const figures: Readonly<Record<FigureName, DatabaseFigure & { readonly of: DatabaseName }>> = {
  instance: { of: "control.db", table: "instance", sql: "SELECT name AS value FROM instance" },
  accounts: count("control.db", "account"),
  activeKeys: count("control.db", "api_key", "count(*) FILTER (WHERE revoked_ms IS NULL)"),
  auditSequence: { of: "control.db", table: "audit", sql: `SELECT sequence AS value ${lastAudit}` },
  auditHash: { of: "control.db", table: "audit", sql: `SELECT hash AS value ${lastAudit}` },
  people: count("pool.db", "source_count", "coalesce(sum(developers), 0)"),
  revision: count("pool.db", "pool_state", "max(revision)"),
  suppressed: count("pool.db", "suppressed", "count(DISTINCT hash)"),
  erasures: count("pool.db", "erasure"),
  repositories: count("ingest.db", "place"),
  forgeAccounts: count("forges.db", "account"),
};

/** Counts what the databases of a folder contain, in any version. @package @param names the databases to count in. */
export function countHoldings(folder: string, names: readonly string[]): Holdings {
  const found: Partial<Record<FigureName, number | string>> = {};
  for (const name of archivedNames.filter((each) => names.includes(each))) {
    const own = Object.entries(figures).filter(([, { of }]) => of === name);
    Object.assign(found, summariseDatabase(join(folder, name), Object.fromEntries(own)).figures);
  }
  const { instance, auditSequence, auditHash, ...counts } = found;
  return {
    ...(instance === undefined ? {} : { instance: String(instance) }),
    ...(auditSequence === undefined
      ? {}
      : { audit: { sequence: Number(auditSequence), hash: String(auditHash) } }),
    counts: counts as BackupManifest["counts"],
  };
}
