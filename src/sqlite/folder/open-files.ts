/**
 * Checks whether the database files that a process has open are still those in its folder. A file that was replaced or removed
 * while it is open, and shared memory of a log (`-shm`) that is not the one in the folder, look intact to the process. But other
 * processes do not see what it writes, and it does not see what they write.
 */
import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type Connection,
  type FileIdentity,
  findConnections,
  identifyFile,
} from "../connection.ts";

/** An open file, if its name now belongs to another file in the folder, or to none. */
export interface StrayFile {
  readonly path: string;
  /** Whether nothing has the name any more. */
  readonly isGone: boolean;
  /** Whether it is the shared memory of a log: both processes then write the same database file. */
  readonly isSharedMemory: boolean;
}

/** @returns a function that finds a stray file among the databases of these names that this thread has open in the folder. */
export function createStrayFinder(
  folder: string,
  names: readonly string[],
): () => StrayFile | undefined {
  const sharedMemory = new WeakMap<Connection, FileIdentity>();
  const findSharedMemory = (connection: Connection): StrayFile | undefined => {
    const path = getSharedMemoryPath(connection.path);
    const [now, meant] = [identifyFile(path), sharedMemory.get(connection)];
    if (now !== undefined && (now === meant || (meant === undefined && isOpenHere(now)))) {
      sharedMemory.set(connection, now);
      return undefined;
    }
    return { path, isGone: now === undefined, isSharedMemory: true };
  };
  const find = (connection: Connection): StrayFile | undefined => {
    const { path, file, access } = connection;
    const now = identifyFile(path);
    if (now !== file) return { path, isGone: now === undefined, isSharedMemory: false };
    return access === "create" ? findSharedMemory(connection) : undefined;
  };
  return () => {
    const databases = findConnections(folder).filter(({ path }) => names.includes(basename(path)));
    for (const connection of databases) {
      const stray = find(connection);
      if (stray) return stray;
    }
    return undefined;
  };
}

/** The shared index of a database's log. */
function getSharedMemoryPath(path: string): string {
  return `${path}-shm`;
}

/** When the system does not tell, the files in the folder are taken for the open ones. */
function isOpenHere(file: FileIdentity): boolean {
  return listOpenFiles("self")?.has(file) ?? true;
}

/**
 * Looks from outside for what `createStrayFinder` finds from inside.
 *
 * @param holding the files that the process has open; `names` are those of databases in its folder.
 * @returns undefined also for databases that the process has not opened.
 */
export function findStrayFileOf(
  holding: OpenFiles,
  folder: string,
  names: readonly string[],
): StrayFile | undefined {
  const opened = new Set([...holding.values()].map((name) => name.replace(/ \(deleted\)$/, "")));
  for (const path of names.map((name) => join(realpathSync(folder), name))) {
    const [file, shared] = [path, getSharedMemoryPath(path)].map(identifyFile);
    const isHeld = file !== undefined && holding.has(file);
    if (!isHeld && opened.has(path)) {
      return { path, isGone: file === undefined, isSharedMemory: false };
    }
    if (isHeld && (shared === undefined || !holding.has(shared))) {
      return {
        path: getSharedMemoryPath(path),
        isGone: shared === undefined,
        isSharedMemory: true,
      };
    }
  }
  return undefined;
}

/** The files that a process has open, with the names that they had when they were opened, as the system reports them. */
export type OpenFiles = ReadonlyMap<FileIdentity, string>;

/** @returns undefined when the system does not tell: only Linux does, for processes of the same user. */
export function listOpenFiles(process: number | "self"): OpenFiles | undefined {
  const folder = `/proc/${process}/fd`;
  const open = new Map<FileIdentity, string>();
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return undefined;
  }
  for (const path of names.map((name) => join(folder, name))) {
    try {
      const file = identifyFile(path);
      if (file !== undefined) open.set(file, readlinkSync(path));
    } catch {
      // Closed meanwhile.
    }
  }
  return open;
}
