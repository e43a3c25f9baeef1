/**
 * One server per data folder. The lock is SQLite's own lock on a small file: the system releases it when the process
 * ends in any way, so there is no stale lock to recognise, and no reused process id to be misled by.
 */

import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "../../contract/fault.ts";
import { Connection, identifyFile } from "../connection.ts";
import { toStoreFault } from "../store-fault.ts";
import { isOutOfSpace } from "./disk-space.ts";
import { lockFile } from "./noted-lock.ts";
import { listOpenFiles, type OpenFiles } from "./open-files.ts";

export interface FolderLock {
  /** Tells commands on the folder where people reach its server, as long as it has the lock. */
  noteAddress(address: string): void;
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
  let unlock: (() => void) | undefined;
  try {
    unlock = lockFile(path, 0);
    if (!unlock) throw createServedFault(folder, pidPath);
    writeHolder(pidPath, [process.pid]);
  } catch (error) {
    unlock?.();
    throw isFault(error, "folder_in_use") ? error : toFault(error, { folder, path, pidPath });
  }
  const release = unlock;
  return {
    noteAddress: (address) => writeHolder(pidPath, [process.pid, address]),
    release: () => {
      rmSync(pidPath, { force: true });
      release();
    },
  };
}

function createServedFault(folder: string, pidPath: string): Fault {
  const message = `${folder} is served by another Roster${describeHolder(pidPath)}.`;
  return new Fault("folder_in_use", message);
}

/** Never overwrites what someone else put there meanwhile, such as a link out of the folder. */
function writeHolder(pidPath: string, lines: readonly (string | number)[]): void {
  rmSync(pidPath, { force: true });
  writeFileSync(pidPath, `${lines.join("\n")}\n`, { flag: "wx" });
}

/** The address of the server that has the folder now; undefined without one. The note of a server that has ended is ignored. */
export function findServerAddress(folder: string): string | undefined {
  const [, address = ""] = readHolderLines(join(folder, "server.pid"));
  if (!/^https?:/.test(address) || !URL.canParse(address)) return undefined;
  return isFolderLocked(folder) ? address : undefined;
}

/** Whether a server has the folder. Writes nothing. */
export function isFolderLocked(folder: string): boolean {
  const path = join(folder, "server.lock");
  if (!existsSync(path)) return false;
  let sqlite: Connection | undefined;
  try {
    sqlite = new Connection(path, "read");
    sqlite.readRow`SELECT count(*) FROM sqlite_schema`;
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === "SQLITE_BUSY";
  } finally {
    sqlite?.close();
  }
}

function toFault(
  error: unknown,
  { folder, path, pidPath }: { folder: string; path: string; pidPath: string },
): Fault {
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

function describeHolder(pidPath: string): string {
  const holder = readHolder(pidPath);
  return holder === undefined ? "" : ` (process ${holder})`;
}

/** The file can lag behind the lock for a moment, so it is only shown to people and decides nothing. */
function readHolder(pidPath: string): number | undefined {
  const [pid] = readHolderLines(pidPath);
  return pid === undefined ? undefined : Number(pid);
}

function readHolderLines(pidPath: string): readonly string[] {
  try {
    return readFileSync(pidPath, "utf8").split("\n");
  } catch {
    return [];
  }
}

/** The files that the server of a folder has open. @returns undefined without a server, or when the system does not tell. */
export function listFilesOfServer(folder: string): OpenFiles | undefined {
  const holder = readHolder(join(folder, "server.pid"));
  const open = holder === undefined ? undefined : listOpenFiles(holder);
  const lock = identifyFile(join(folder, "server.lock"));
  // The number may mean another process: in a container, or after a crash.
  return lock !== undefined && open?.has(lock) ? open : undefined;
}
