/**
 * Removes the bytes of deleted rows. SQLite overwrites what it deletes (`secure_delete`), but copies of old pages can remain.
 * `VACUUM` rewrites the file without them, and emptying the log removes the rest. Readers continue meanwhile, and writers wait.
 */
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { Fault } from "../contract/fault.ts";
import type { Database, DatabaseKind } from "./database.ts";
import { emptyLog } from "./empty-log.ts";
import { requireRoom } from "./folder/disk-space.ts";
import { readPages } from "./pages.ts";
import { getStoreErrorCode } from "./store-fault.ts";

/** How often to try to empty the log, which works only while no process reads. */
const defaultAttempts = 40;
const pauseMilliseconds = 250;
const waitMilliseconds = 500;
/** Up to this size in bytes, SQLite makes its temporary copy in memory instead of on the disk. */
const copiedInMemoryMax = 128 * 2 ** 20;
/** The number of bytes to leave free on the disk. */
const roomBytes = 2e6;

/**
 * Removes all bytes of deleted rows from the file and its log. Other processes may use the file. Blocks this thread.
 * @param attempts how often to try to empty the log, 0.75 seconds each time.
 * @returns false if another process read or wrote all the time. Call it again then, because old bytes may remain.
 * @throws Fault `no_space` if the disk has too little room for a copy. @throws SQLite's error.
 */
export function cleanFile(
  store: Database,
  kind: Pick<DatabaseKind, "isShrinkable">,
  attempts = defaultAttempts,
): boolean {
  if (store.path === ":memory:") return true;
  // The log holds most old bytes. Emptying it first frees room for the copy.
  emptyLog(store.sqlite, waitMilliseconds);
  if (!rewriteFile(store, kind)) return false;
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (emptyLog(store.sqlite, waitMilliseconds)) return true;
    Bun.sleepSync(pauseMilliseconds);
  }
  return false;
}

/** Cleans the file as `cleanFile` does. @throws Fault `store` if another process keeps using the file. */
export function requireClean(store: Database, kind: Pick<DatabaseKind, "isShrinkable">): void {
  if (cleanFile(store, kind)) return;
  throw new Fault("store", `${store.path} could not be cleaned: another process keeps using it.`);
}

/** @returns false if another process wrote all the time. */
function rewriteFile(
  { sqlite, path }: Database,
  { isShrinkable = false }: Pick<DatabaseKind, "isShrinkable">,
): boolean {
  const { usedBytes } = readPages({ sqlite });
  const isInMemory = usedBytes <= copiedInMemoryMax;
  requireRoom(path, isInMemory || !isTemporaryBeside(path) ? usedBytes : 2 * usedBytes, roomBytes);
  sqlite.run(`PRAGMA temp_store = ${isInMemory ? "MEMORY" : "DEFAULT"}`);
  try {
    // Rewriting also makes files of early versions shrinkable.
    if (isShrinkable) sqlite.run("PRAGMA auto_vacuum = INCREMENTAL");
    sqlite.run("VACUUM");
    return true;
  } catch (error) {
    if (getStoreErrorCode(error) === "SQLITE_BUSY") return false;
    throw error;
  }
}

/** Whether SQLite may make its temporary copy on the same disk as the file. */
function isTemporaryBeside(path: string): boolean {
  const diskOf = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.dev;
  const own = diskOf(dirname(path));
  return [tmpdir(), "/var/tmp", "/tmp"].some((folder) => diskOf(folder) === own);
}
