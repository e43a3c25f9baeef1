/**
 * One server per data folder. The lock is SQLite's own lock on a small file: the system drops it with the
 * process, however that ended, so there is no stale lock to judge and no process id to mistake for another's.
 */

import { Database as Sqlite } from "bun:sqlite";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../contract/fault.ts";

export interface FolderLock {
  release(): void;
}

/**
 * Takes the folder for this process until `release` or its end. Commands work beside it without a lock.
 *
 * @throws Fault naming the process that has it, or saying why the folder cannot be written.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, "server.lock");
  const pidPath = join(folder, "server.pid");
  let sqlite: Sqlite | undefined;
  try {
    sqlite = new Sqlite(path, { create: true, strict: true });
    sqlite.run("PRAGMA busy_timeout = 0");
    sqlite.run("BEGIN EXCLUSIVE");
    rmSync(pidPath, { force: true });
    // Never over what somebody else put there meanwhile, such as a link out of the folder.
    writeFileSync(pidPath, `${process.pid}\n`, { flag: "wx" });
  } catch (error) {
    sqlite?.close();
    throw asFault(error, { folder, pidPath });
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

/** A lock that nobody refers to any more would be collected, and its file closed: the folder open to a second server. */
const held = new Set<Sqlite>();

function asFault(error: unknown, { folder, pidPath }: { folder: string; pidPath: string }) {
  const code = (error as { code?: unknown }).code;
  if (code === "SQLITE_BUSY") {
    return new Fault("folder_in_use", `${folder} is served by another Roster${holder(pidPath)}.`, {
      cause: error,
    });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new Fault("store", `${folder} cannot be used as data folder: ${reason}`, { cause: error });
}

/** The file can lag behind the lock by a moment, so it only helps people; it decides nothing. */
function holder(pidPath: string): string {
  try {
    return ` (process ${Number(readFileSync(pidPath, "utf8"))})`;
  } catch {
    return "";
  }
}
