/**
 * Replaces old files by restored ones with several renames that act as one. The list of renames is written to disk first. After a
 * crash, the next process that opens the folder completes the renames.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "../contract/fault.ts";
import { databaseNames } from "../data-files/file-names.ts";
import { removeErasedLogins } from "../pool/sqlite/sqlite-pool.ts";
import { getDraftPath } from "../sqlite/folder/draft.ts";
import { type FolderLock, lockFolder } from "../sqlite/folder/folder-lock.ts";
import { removeFiles, renameFiles } from "../sqlite/folder/move-files.ts";

/** @package The subfolder of the data folder for restored files that are not yet in place. */
export const restoringName = "restoring";
const journalName = "restoring.json";

interface Swap {
  /** The subfolder of the data folder that receives the old files. */
  readonly keptIn: string;
  /** The names of the old files. */
  readonly old: readonly string[];
  readonly restored: readonly string[];
}

/** @package Lists the files of all databases, with their logs, high-water marks and the index. */
export function listDatabaseFiles(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) =>
    /^(control|pool|ingest|forges)\.(db(-wal|-shm)?|mark)$|^search\.index$/.test(name),
  );
}

const replacedName = /^before-restore-/;

/** @package Returns a new name for the folder of the old files. */
export function composeReplacedName(at: Date): string {
  return `before-restore-${at.toISOString().replace(/[-:.]/g, "")}`;
}

/** Lists the folders of files that earlier restores have replaced. */
export function listReplaced(data: string): readonly string[] {
  if (!existsSync(data)) return [];
  return readdirSync(data)
    .filter((name) => replacedName.test(name))
    .map((name) => join(data, name));
}

/** Removes the files that earlier restores have replaced, because an erasure cannot reach them. */
export function removeReplaced(data: string): void {
  for (const folder of listReplaced(data)) removeFiles(folder);
}

/**
 * @package Moves the files below `restoring` into the folder. The caller must hold the folder's lock.
 * @param beforeMoves is called when the list of renames is on the disk, before the first rename.
 */
export function swapFiles(data: string, swap: Swap, beforeMoves: () => void): void {
  mkdirSync(join(data, swap.keptIn), { mode: 0o700 });
  writeSynced(join(data, journalName), `${JSON.stringify(swap, null, 2)}\n`);
  syncFolder(data);
  beforeMoves();
  finishSwap(data, swap);
}

function finishSwap(data: string, { keptIn, old, restored }: Swap): void {
  mkdirSync(join(data, keptIn), { recursive: true, mode: 0o700 });
  for (const name of old) move(join(data, name), join(data, keptIn, name));
  for (const name of restored) move(join(data, restoringName, name), join(data, name));
  forgetErased(join(data, keptIn, databaseNames.pool));
  syncFolder(data);
  removeFiles(join(data, restoringName));
  rmSync(join(data, journalName), { force: true });
  syncFolder(data);
}

/** Nobody asks the old pool for erased people any more, so it need not name them. */
function forgetErased(pool: string): void {
  if (!existsSync(pool)) return;
  try {
    removeErasedLogins(pool);
  } catch {
    // The old pool is damaged, or of another kind. That may be why it was replaced.
  }
}

/** Moves a file, unless an interrupted swap has already moved it. */
function move(from: string, to: string): void {
  if (existsSync(from) && !existsSync(to)) renameFiles(from, to);
}

/**
 * Finishes an interrupted restore: completes it if files were already being replaced, otherwise discards it.
 * @returns whether the restore was completed.
 * @throws Fault `being_restored` while the restore is still running.
 */
export function finishInterruptedRestore(data: string): boolean {
  const [journal, restoring] = [join(data, journalName), join(data, restoringName)];
  if (!existsSync(journal) && !existsSync(restoring)) return false;
  using _lock = lockForRestore(data);
  // Without a journal, there is nothing to complete.
  if (!existsSync(journal)) {
    removeFiles(restoring);
    return false;
  }
  finishSwap(data, JSON.parse(readFileSync(journal, "utf8")) as Swap);
  return true;
}

/** @package Discards a restore that has not begun to replace files. */
export function abandonRestore(data: string): void {
  if (existsSync(join(data, journalName))) return;
  removeFiles(join(data, restoringName));
}

/** @throws Fault `being_restored` if another process holds the lock. */
function lockForRestore(data: string): FolderLock {
  try {
    return lockFolder(data);
  } catch (error) {
    if (!isFault(error, "folder_in_use")) throw error;
    throw new Fault("being_restored", `${data} is being restored from a backup.`, { cause: error });
  }
}

function writeSynced(path: string, text: string): void {
  const draft = getDraftPath(path);
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: "wx", mode: 0o600, flush: true });
  renameSync(draft, path);
}

function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // Not every system can sync a folder.
  }
}

/** Whether a restore was interrupted while it replaced files. `finishInterruptedRestore` then completes it. */
export function hasInterruptedRestore(data: string): boolean {
  return existsSync(join(data, journalName));
}
