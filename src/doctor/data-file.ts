import { controlFile } from "../control/sqlite/sqlite-control-store.ts";
import { forgesFile, ledgerFile } from "../ingest/ingest.ts";
import { poolFile } from "../pool/sqlite/sqlite-pool.ts";
import type { DatabaseKind } from "../sqlite/database.ts";

export type DataFileName = "control" | "pool" | "ledger" | "forges";

/** @package The name on disk, what the file is, and how its rows are checked. */
export const checkedFiles: Readonly<
  Record<
    DataFileName,
    { readonly name: string; readonly kind: DatabaseKind; readonly wayOut: string }
  >
> = {
  control: { name: "control.db", kind: controlFile, wayOut: "Restore a backup." },
  pool: {
    name: "pool.db",
    kind: poolFile,
    wayOut: "Restore a backup; people who can still be read can be exported before.",
  },
  ledger: {
    name: "ingest.db",
    kind: ledgerFile,
    wayOut: "It can be rebuilt: the next ingest then reads the repositories again.",
  },
  forges: {
    name: "forges.db",
    kind: forgesFile,
    wayOut: "It can be rebuilt: the forges are then asked again.",
  },
};

/** The key under which damage of a file is reported. */
export function getDamageKey(file: DataFileName): string {
  return `damage:${checkedFiles[file].name}`;
}

const findingsShown = 3;

/** What was found and what to do about it, as text for people. */
export function describeDamage(file: DataFileName, findings: readonly string[]): string {
  const { name, wayOut } = checkedFiles[file];
  const distinct = [...new Set(findings.map((text) => text.replace(/\.$/, "")))];
  const more = distinct.length - findingsShown;
  const shown =
    distinct.slice(0, findingsShown).join("; ") + (more > 0 ? `; and ${more} more` : "");
  return `${name} is damaged: ${shown}. ${wayOut}`;
}
