/** Decides which accounts, keys and counts a restored folder gets. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BackupManifest } from "../backup/backup.ts";
import { closeAtEnd } from "../contract/close-at-end.ts";
import { Fault } from "../contract/fault.ts";
import type { SuppressionList } from "../contract/people/erasure-receipt.ts";
import {
  compareControlFiles,
  type MergeCounts,
  mergeControlFile,
} from "../control/sqlite/merge-control-files.ts";
import { controlFile, openSqliteControlStore } from "../control/sqlite/sqlite-control-store.ts";
import { databaseNames } from "../data-files/file-names.ts";
import { readFileErasures } from "../pool/sqlite/sqlite-pool.ts";
import { type Database, openDatabase } from "../sqlite/database.ts";
import { removeFiles, removeLog, renameFiles } from "../sqlite/folder/move-files.ts";

export interface JoinedControl {
  /** Where the control file came from. Rows of the other control file may have been added to it. */
  readonly from: "folder" | "archive";
  /** The rows that were added from the other control file. */
  readonly carriedOver: MergeCounts;
}

/** @package */
export interface JoinContext {
  /** The folder with the unpacked files, migrated to the newest version. */
  readonly staged: string;
  readonly manifest: BackupManifest;
  readonly asArchived: boolean;
  /** The folder's current databases, in any version. A database is undefined if it is missing or damaged. */
  readonly current: {
    readonly control: Database | undefined;
    readonly pool: Database | undefined;
  };
  readonly now: () => Date;
  readonly warnings: string[];
}

const nothing: MergeCounts = { accounts: 0, counters: 0, keys: 0, passwords: 0, revocations: 0 };

/**
 * @package Merges both control files into the staged folder. The result has the erasures of both files and of the current pool.
 * @throws Fault `other_instance` if the archive belongs to another instance.
 */
export async function joinControl(joining: JoinContext): Promise<JoinedControl> {
  const { staged, current, asArchived, manifest, warnings, now } = joining;
  const archived = join(staged, databaseNames.control);
  if (asArchived || !current.control) {
    warnings.push(describeArchivedWord(manifest, asArchived));
    if (!asArchived) await addErasures(archived, readErasuresOf(joining));
    return { from: "archive", carriedOver: nothing };
  }
  const aside = join(staged, "aside");
  mkdirSync(aside, { mode: 0o700 });
  const before = join(aside, databaseNames.control);
  current.control.sqlite.execute`VACUUM INTO ${before}`;
  openDatabase(before, controlFile).close();
  const standing = compareControlFiles(before, archived);
  if (standing === "other") {
    throw new Fault("other_instance", `The backup and the folder belong to different instances.`);
  }
  if (standing === "diverged") {
    warnings.push(
      "The folder and the backup have each changed since the backup was made: the accounts are the folder's, with the newer keys and passwords of the backup.",
    );
  }
  const isFolders = standing !== "behind";
  if (isFolders) {
    move(archived, join(aside, "archived.db"));
    move(before, archived);
  }
  const other = isFolders ? join(aside, "archived.db") : before;
  const carriedOver = mergeControlFile(archived, other, now(), {
    isDiverged: standing === "diverged",
  });
  await addErasures(archived, await readSuppressionList(other), readErasuresOf(joining));
  removeFiles(aside);
  return { from: isFolders ? "folder" : "archive", carriedOver };
}

function describeArchivedWord({ madeAt }: BackupManifest, isWanted: boolean): string {
  const back = isWanted ? "; people erased since then are back" : "";
  return `Accounts are as they were at ${madeAt}: keys replaced since then work again, newer ones do not, and calls since then are not counted${back}.`;
}

function move(from: string, to: string): void {
  removeLog(from);
  renameFiles(from, to);
}

function readErasuresOf({ current, warnings }: JoinContext): SuppressionList {
  try {
    if (current.pool) return readFileErasures(current.pool);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warnings.push(`The erasures of the old pool could not be read: ${reason}.`);
  }
  return { salts: [], erasures: [] };
}

async function readSuppressionList(path: string): Promise<SuppressionList> {
  await using store = closeAtEnd(openSqliteControlStore(path));
  return await store.folder.suppressionList();
}

async function addErasures(path: string, ...lists: readonly SuppressionList[]): Promise<void> {
  await using store = closeAtEnd(openSqliteControlStore(path));
  for (const list of lists) await store.folder.addSuppressionList(list);
}
