/** The databases of a data folder, with their checks and the remedies for damage. */
import { checkControlContent, controlFile } from "../control/sqlite/sqlite-control-store.ts";
import { checkForgeContent, checkLedgerContent, forgesFile, ledgerFile } from "../ingest/ingest.ts";
import { checkPoolContent, poolFile } from "../pool/sqlite/sqlite-pool.ts";
import { type Check, checkFile, checkStructure } from "../sqlite/check-database.ts";
import { type Database, type DatabaseKind, readFormNumber } from "../sqlite/database.ts";
import { type DatabaseName, type DatabaseRole, databaseNames } from "./file-names.ts";

export interface DatabaseFile {
  readonly name: DatabaseName;
  readonly kind: DatabaseKind;
  /** Checks the content of the rows. The file must have the newest version. */
  readonly checkContent: (store: Database) => Check;
  readonly remedy: "restore" | "rebuild_ledger" | "rebuild_forges";
  /** A sentence about what the operator should do about damage. */
  readonly advice: string;
}

export const databaseFiles: Readonly<Record<DatabaseRole, DatabaseFile>> = {
  control: {
    name: databaseNames.control,
    kind: controlFile,
    checkContent: checkControlContent,
    remedy: "restore",
    advice: "Restore a backup.",
  },
  pool: {
    name: databaseNames.pool,
    kind: poolFile,
    checkContent: checkPoolContent,
    remedy: "restore",
    advice: "Restore a backup; people who can still be read can be exported before.",
  },
  ledger: {
    name: databaseNames.ledger,
    kind: ledgerFile,
    checkContent: checkLedgerContent,
    remedy: "rebuild_ledger",
    advice: "It can be rebuilt: the next ingest then reads the repositories again.",
  },
  forges: {
    name: databaseNames.forges,
    kind: forgesFile,
    checkContent: checkForgeContent,
    remedy: "rebuild_forges",
    advice: "It can be rebuilt: the forges are then asked again.",
  },
};

export const everyDatabaseFile: readonly DatabaseFile[] = Object.values(databaseFiles);

export function checkDataFile(role: DatabaseRole, path: string): Check {
  const { kind, checkContent } = databaseFiles[role];
  // Only rows of the newest version are checked, because older rows may lack fields that the check reads.
  const checkRows = (store: Database): Check =>
    readFormNumber(store.sqlite) === kind.migrations.length ? checkContent(store) : checkNothing();
  return checkFile(path, kind, checkRows, checkStructure);
}

// biome-ignore lint/correctness/useYield: A check of no steps is a check.
function* checkNothing(): Check {
  return [];
}
