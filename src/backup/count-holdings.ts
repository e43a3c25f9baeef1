import { join } from "node:path";
import type { DatabaseName } from "../data-files/file-names.ts";
import { type DatabaseFigure, summariseDatabase } from "../sqlite/copy-database.ts";
import { archivedNames } from "./archive-form.ts";
import type { BackupManifest } from "./manifest.ts";

/** What the manifest says about the content of a folder's databases. @package */
export type Holdings = Pick<BackupManifest, "instance" | "audit" | "counts">;

type FigureName = keyof BackupManifest["counts"] | "instance" | "auditSequence" | "auditHash";

const lastAudit = "FROM audit ORDER BY sequence DESC LIMIT 1";
const figures: Readonly<Record<FigureName, DatabaseFigure & { readonly of: DatabaseName }>> = {
  instance: { of: "control.db", table: "instance", sql: "SELECT name AS value FROM instance" },
  accounts: { of: "control.db", table: "account", sql: "SELECT count(*) AS value FROM account" },
  activeKeys: {
    of: "control.db",
    table: "api_key",
    sql: "SELECT count(*) AS value FROM api_key WHERE revoked_ms IS NULL",
  },
  auditSequence: { of: "control.db", table: "audit", sql: `SELECT sequence AS value ${lastAudit}` },
  auditHash: { of: "control.db", table: "audit", sql: `SELECT hash AS value ${lastAudit}` },
  people: {
    of: "pool.db",
    table: "source_count",
    sql: "SELECT coalesce(sum(developers), 0) AS value FROM source_count",
  },
  revision: {
    of: "pool.db",
    table: "pool_state",
    sql: "SELECT max(revision) AS value FROM pool_state",
  },
  suppressed: {
    of: "pool.db",
    table: "suppressed",
    sql: "SELECT count(DISTINCT hash) AS value FROM suppressed",
  },
  erasures: { of: "pool.db", table: "erasure", sql: "SELECT count(*) AS value FROM erasure" },
  repositories: { of: "ingest.db", table: "place", sql: "SELECT count(*) AS value FROM place" },
  forgeAccounts: {
    of: "forges.db",
    table: "account",
    sql: "SELECT count(*) AS value FROM account",
  },
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
