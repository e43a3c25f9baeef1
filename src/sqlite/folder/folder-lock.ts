/**
 * One server per data folder. The lock is SQLite's own lock on a small file: the system releases it when the process
 * ends in any way, so there is no stale lock to recognise, and no reused process id to be misled by.
 */

import { Database as Sqlite } from "bun:sqlite";
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "../../contract/fault.ts";
import { toStoreFault } from "../store-fault.ts";
import { isOutOfSpace } from "./disk-space.ts";

export interface FolderLock {
  release(): void;
}

/**
 * Takes the folder for this process until `release` or its end. Commands work beside it without a lock.
 *
 * @throws Fault naming the process that holds the lock, or why the folder cannot be written.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, "server.lock");
  const pidPath = join(folder, "server.pid");
  let sqlite: Sqlite | undefined;
  try {
    sqlite = new Sqlite(path, { create: true, strict: true });
    sqlite.run("PRAGMA busy_timeout = 0");
    // Nothing is ever written, so there is nothing to roll back, and a full disk has no room for a journal.
    sqlite.run("PRAGMA journal_mode = MEMORY");
    sqlite.run("BEGIN EXCLUSIVE");
    rmSync(pidPath, { force: true });
    // Never overwrites what someone else put there meanwhile, such as a link out of the folder.
    writeFileSync(pidPath, `${process.pid}\n`, { flag: "wx" });
  } catch (error) {
    sqlite?.close();
    throw toFault(error, { folder, path, pidPath });
  }
  const lock = sqlite;
  held.add(lock);
  return {
    release: () => {
      rmSync(pidPath, { force: true });
      held.delete(lock);
      lock.close();
    },
  };
}

/** Whether a server has the folder. Writes nothing. */
export function isFolderLocked(folder: string): boolean {
  const path = join(folder, "server.lock");
  if (!existsSync(path)) return false;
  let sqlite: Sqlite | undefined;
  try {
    sqlite = new Sqlite(path, { readonly: true });
    sqlite.query("SELECT count(*) FROM sqlite_schema").get();
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === "SQLITE_BUSY";
  } finally {
    sqlite?.close();
  }
}

/** Keeps locks from garbage collection, which would close the file and let a second server in. */
const held = new Set<Sqlite>();

function toFault(
  error: unknown,
  { folder, path, pidPath }: { folder: string; path: string; pidPath: string },
): Fault {
  const code = (error as { code?: unknown }).code;
  if (code === "SQLITE_BUSY") {
    const message = `${folder} is served by another Roster${describeHolder(pidPath)}.`;
    return new Fault("folder_in_use", message, { cause: error });
  }
  const fault = toStoreFault(error, path);
  if (isFault(fault, "no_space")) return fault;
  if (isOutOfSpace(path)) {
    return new Fault("no_space", `${pidPath} cannot be written: its disk is full.`, {
      cause: error,
    });
  }
  const reason = findRefusal(folder) ?? (error instanceof Error ? error.message : String(error));
  return new Fault("store", `${folder} cannot be used as data folder: ${reason}`, { cause: error });
}

/** SQLite only says that it cannot open the file. */
function findRefusal(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return { EROFS: "its disk is read-only.", EACCES: "permission to write is denied." }[code];
  }
}

/** The file can lag behind the lock for a moment, so it is only shown to people and decides nothing. */
function describeHolder(pidPath: string): string {
  try {
    return ` (process ${Number(readFileSync(pidPath, "utf8"))})`;
  } catch {
    return "";
  }
}
