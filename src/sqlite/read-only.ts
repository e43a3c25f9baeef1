/**
 * Opens databases and writes nothing into their folder: for snapshots, read-only mounts, folders of another user, and
 * checks beside a live server. SQLite's own read-only mode is not enough: to read a WAL it makes a `-shm` file, so it
 * fails where it cannot, and leaves files behind where it can.
 */
import { copyFileSync, existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { isFault } from "../contract/fault.ts";
import { Connection } from "./connection.ts";
import {
  checkKind,
  type Database,
  type DatabaseKind,
  migrate,
  openDatabase,
  readFormNumber,
  refuseUnusable,
  toOpenFault,
} from "./database.ts";

/**
 * Opens a file of this or an older form for reading.
 *
 * With `-wal` and `-shm` beside it, a process may be using it: SQLite's locks hold, and later commits are seen.
 * Otherwise no process uses it, and it must not change while it is open.
 *
 * @throws Fault when the file is missing, cannot be read, is damaged, not ours or newer; or when it needs
 *   `prepareForReading`, because its WAL has to be recovered first.
 */
export function openReadOnly(path: string, kind: DatabaseKind): Database {
  let sqlite: Connection | undefined;
  try {
    refuseUnusable(path);
    if (isUnrecovered(path)) throw new Error("its -wal file has no -shm file");
    sqlite = new Connection(path, isShared(path) ? "readShared" : "immutable");
    sqlite.run("PRAGMA busy_timeout = 10000");
    checkKind(sqlite, path, kind);
  } catch (error) {
    sqlite?.close();
    throw isFault(error) ? error : toOpenFault(error, path);
  }
  const opened = sqlite;
  return { orm: drizzle(opened), sqlite: opened, path, isNew: false, close: () => opened.close() };
}

/**
 * Makes a file readable by `openReadOnly` in the newest form.
 *
 * @param folder gives a private folder for the copy; called only if one is needed.
 * @returns the path itself; or a copy, when the file has an older form, or a WAL that must be recovered.
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
    const store = openReadOnly(path, kind);
    try {
      if (readFormNumber(store.sqlite) === kind.migrations.length) return path;
      const target = copy();
      store.sqlite.execute`VACUUM INTO ${target}`;
      openDatabase(target, kind).close();
      return target;
    } finally {
      store.close();
    }
  } catch (error) {
    throw isFault(error) ? error : toOpenFault(error, path);
  }
}

/** Loads a file into memory, in the newest form: what is written to it there is lost when it is closed. */
export function openInMemory(path: string, kind: DatabaseKind): Database {
  const store = openReadOnly(path, kind);
  try {
    const bytes = store.sqlite.serialize();
    // The header says WAL, which memory cannot have: versions 1 mean a rollback journal.
    bytes.set([1, 1], 18);
    const sqlite = new Connection(bytes, "create");
    sqlite.run("PRAGMA foreign_keys = ON");
    migrate(sqlite, kind);
    return { orm: drizzle(sqlite), sqlite, path, isNew: false, close: () => sqlite.close() };
  } catch (error) {
    throw isFault(error) ? error : toOpenFault(error, path);
  } finally {
    store.close();
  }
}

/** A text that differs once an unused file was changed, or a file was replaced. @package */
export function readStamp(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (isShared(path)) return `shared ${file?.ino}`;
  return [file?.ino, file?.size, file?.mtimeMs, wal?.size ?? 0].join(" ");
}

const hasWal = (path: string) =>
  (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

function isShared(path: string): boolean {
  return existsSync(`${path}-shm`) && existsSync(`${path}-wal`);
}

/** A copy of a live file that left the `-shm` out, as it may: the WAL holds commits that the file lacks. */
function isUnrecovered(path: string): boolean {
  return hasWal(path) && !existsSync(`${path}-shm`);
}
