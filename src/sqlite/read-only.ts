/**
 * Opens databases without writing into their folder: for snapshots, read-only mounts, folders of another user, and checks while a
 * server runs. SQLite's own read-only mode may create a `-shm` file.
 */
import { copyFileSync, existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { Connection } from "./connection.ts";
import {
  checkKind,
  type Database,
  type DatabaseKind,
  migrate,
  openDatabase,
  readFormNumber,
  refuseUnusable,
  toDatabase,
  toOpenFault,
} from "./database.ts";
import { measureFile } from "./file-form.ts";

/**
 * Opens a file of this or an older version for reading.
 * If `-wal` and `-shm` files exist, a process may be using the database. Then SQLite's locks apply, and later commits are
 * visible. Otherwise no process uses the database, and it must not change while it is open here.
 * @throws Fault if the file is missing, unreadable, damaged, not ours or newer.
 * @throws Fault if the write-ahead log must be recovered first, which `prepareForReading` does.
 */
export function openReadOnly(path: string, kind: DatabaseKind): Database {
  let sqlite: Connection | undefined;
  try {
    refuseUnusable(path);
    if (isUnrecovered(path)) throw new Error("its -wal file has no -shm file");
    sqlite = new Connection(path, isShared(path) ? "readShared" : "immutable");
    sqlite.run("PRAGMA busy_timeout = 10000");
    checkKind(sqlite, path, kind);
    return toDatabase(sqlite, path);
  } catch (error) {
    sqlite?.close();
    throw toOpenFault(error, path);
  }
}

/**
 * Makes a file readable by `openReadOnly` in the newest version.
 * @param folder returns a private folder for a copy. It is called only if a copy is needed.
 * @returns the path itself, or the path of the copy.
 */
export function prepareForReading(path: string, kind: DatabaseKind, folder: () => string): string {
  refuseUnusable(path);
  const copy = () => join(folder(), basename(path));
  try {
    if (isUnrecovered(path)) {
      const target = copy();
      copyFileSync(path, target);
      copyFileSync(`${path}-wal`, `${target}-wal`);
      openDatabase(target, kind).close();
      return target;
    }
    using store = openReadOnly(path, kind);
    if (readFormNumber(store.sqlite) === kind.migrations.length) return path;
    const target = copy();
    store.sqlite.execute`VACUUM INTO ${target}`;
    openDatabase(target, kind).close();
    return target;
  } catch (error) {
    throw toOpenFault(error, path);
  }
}

/** Loads a file into memory and migrates it there to the newest version. Changes are lost when it is closed. */
export function openInMemory(path: string, kind: DatabaseKind): Database {
  using store = openReadOnly(path, kind);
  try {
    const bytes = store.sqlite.serialize();
    // The file header requires a write-ahead log, which a database in memory cannot have. The value 1 means a rollback journal.
    bytes.set([1, 1], 18);
    const sqlite = new Connection(bytes, "create");
    sqlite.run("PRAGMA foreign_keys = ON");
    migrate(sqlite, kind);
    return toDatabase(sqlite, path);
  } catch (error) {
    throw toOpenFault(error, path);
  }
}

/** Returns a text that changes when an unused file is changed or replaced. @package */
export function readStamp(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (isShared(path)) return `shared ${file?.ino}`;
  return [file?.ino, file?.size, file?.mtimeMs, measureFile(`${path}-wal`)].join(" ");
}

function isShared(path: string): boolean {
  return existsSync(`${path}-shm`) && existsSync(`${path}-wal`);
}

/** Whether the file has a write-ahead log but no `-shm` file, as in a copy of a live file. */
function isUnrecovered(path: string): boolean {
  return measureFile(`${path}-wal`) > 0 && !existsSync(`${path}-shm`);
}
