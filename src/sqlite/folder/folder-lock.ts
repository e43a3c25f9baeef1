/**
 * Ensures that only one server uses a data folder. The lock is SQLite's own lock on a small file. The system releases the lock
 * when the process ends.
 */
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "../../contract/fault.ts";
import { Connection, identifyFile } from "../connection.ts";
import { toStoreFault } from "../store-fault.ts";
import { isOutOfSpace } from "./disk-space.ts";
import { lockFile } from "./noted-lock.ts";
import { listOpenFiles, type OpenFiles } from "./open-files.ts";

/** What came of reading a server's settings again. */
export interface ReloadOutcome {
  readonly beganAtMs: number;
  /** The names of the settings that changed, and of those whose change needs a restart. */
  readonly changed: readonly string[];
  readonly restart: readonly string[];
  /** Why nothing changed. Undefined if the settings can be used. */
  readonly fault?: string;
}

export type FolderLock = ReturnType<typeof lockFolder>;

/**
 * Locks the folder for this process until `release` or the end of the process. Commands use the folder without this lock.
 * @throws Fault, which names the process that holds the lock, or says why the folder cannot be written.
 */
export function lockFolder(folder: string) {
  const path = join(folder, "server.lock");
  const pidPath = join(folder, "server.pid");
  let unlock: (() => void) | undefined;
  try {
    unlock = lockFile(path, 0);
    if (!unlock) {
      const holder = readHolder(pidPath);
      const who = holder === undefined ? "" : ` (process ${holder})`;
      throw new Fault("folder_in_use", `${folder} is served by another Roster${who}.`);
    }
    writeHolder(pidPath, [process.pid]);
  } catch (error) {
    unlock?.();
    throw isFault(error, "folder_in_use") ? error : toFault(error, { folder, path, pidPath });
  }
  const release = () => {
    rmSync(pidPath, { force: true });
    unlock();
  };
  return {
    /** Stores the server's addresses in the folder, for commands that use the folder. */
    noteAddress: (address: string, local: string) =>
      writeHolder(pidPath, [process.pid, address, local]),
    /** Stores what came of the last ten reloads, for the commands that asked for them. */
    noteReload: (outcome: ReloadOutcome) => {
      const { head, reloads } = splitHolderLines(pidPath);
      writeHolder(pidPath, [...head, ...[...reloads, JSON.stringify(outcome)].slice(-10)]);
    },
    release,
    [Symbol.dispose]: release,
  };
}

/** Writes the file that describes the holder, but never through a link. */
function writeHolder(pidPath: string, lines: readonly (string | number)[]): void {
  rmSync(pidPath, { force: true });
  writeFileSync(pidPath, `${lines.join("\n")}\n`, { flag: "wx" });
}

/**
 * Finds the server that uses the folder now, and its last reloads. Undefined means that no server uses it.
 * `address` is for callers, and `local` for this machine: a URL, or `unix:` and a path. They are absent while the server starts.
 */
export function findServer(folder: string) {
  if (!isFolderLocked(folder)) return undefined;
  const { head, reloads } = splitHolderLines(join(folder, "server.pid"));
  const [pid, address, local = address] = head;
  const lock = identifyFile(join(folder, "server.lock")) ?? "";
  return {
    process: Number(pid),
    /** Another process may have the id of a server that runs in another container. */
    isHere: listOpenFiles(Number(pid))?.has(lock) !== false,
    ...(address !== undefined && URL.canParse(address) && { address, local }),
    reloads: reloads.map((line) => JSON.parse(line) as ReloadOutcome),
  };
}

function splitHolderLines(pidPath: string) {
  const lines = readHolderLines(pidPath).filter(Boolean);
  const isReload = (line: string) => line.startsWith("{");
  return { head: lines.filter((line) => !isReload(line)), reloads: lines.filter(isReload) };
}

/** Whether a server uses the folder. Writes nothing. */
export function isFolderLocked(folder: string): boolean {
  const path = join(folder, "server.lock");
  if (!existsSync(path)) return false;
  try {
    using sqlite = new Connection(path, "read");
    sqlite.readRow`SELECT count(*) FROM sqlite_schema`;
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === "SQLITE_BUSY";
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

/** Finds why the folder cannot be locked, since SQLite says only that it cannot open the file. */
function findRefusal(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return { EROFS: "its disk is read-only.", EACCES: "permission to write is denied." }[code];
  }
}

/** Reads the holder's process id. The id may be outdated, so only show it to people. */
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

/** Lists the files that the folder's server has open. @returns undefined if there is no server, or the files cannot be listed. */
export function listFilesOfServer(folder: string): OpenFiles | undefined {
  const holder = readHolder(join(folder, "server.pid"));
  const open = holder === undefined ? undefined : listOpenFiles(holder);
  const lock = identifyFile(join(folder, "server.lock"));
  // Ignore a process that does not have the lock file open: it only has the same id as an earlier server.
  return lock !== undefined && open?.has(lock) ? open : undefined;
}
