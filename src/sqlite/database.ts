/**
 * Opens every SQLite file with the same settings. With WAL and synchronous=FULL, a committed transaction survives a power cut.
 */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { Fault, isFault } from "../contract/fault.ts";
import { Connection } from "./connection.ts";
import { emptyLog } from "./empty-log.ts";
import { getDraftPath, removeDeadDrafts } from "./folder/draft.ts";
import { putInPlace, removeDatabase } from "./folder/move-files.ts";
import { toStoreFault } from "./store-fault.ts";

export interface DatabaseKind {
  /** The name in messages, such as "control" or "pool". */
  readonly name: string;
  /** SQLite's application_id, which identifies Roster's files of this kind. */
  readonly applicationId: number;
  /** SQL of each migration, oldest first. user_version is the number of migrations applied. */
  readonly migrations: readonly string[];
  /** Whether opening the file checks every page. Checking a large file would take too long. */
  readonly isCheckedAtOpen?: boolean;
  /** Whether a new file can return unused pages to the disk without being rewritten. */
  readonly isShrinkable?: boolean;
  /** How long a write waits for a write of another process. The default is 10 seconds. */
  readonly busyMilliseconds?: number;
}

export interface Database {
  readonly orm: BunSQLiteDatabase;
  readonly sqlite: Connection;
  /** The path in messages, or ":memory:". */
  readonly path: string;
  /** Whether this call created the file. */
  readonly isNew: boolean;
  close(): void;
  [Symbol.dispose](): void;
}

/**
 * Opens or creates a file and migrates it to the newest version, in one transaction.
 * @param path a file, or ":memory:".
 * @throws Fault if the file is damaged, not ours, or written by a newer Roster.
 */
export function openDatabase(path: string, kind: DatabaseKind): Database {
  const isNew = path === ":memory:" || (!existsSync(path) && createFile(path, kind));
  // The process that created the file may have been killed before it removed its draft of the file.
  if (!isNew) removeDeadDrafts(path);
  if (!isNew) refuseUnusable(path);
  const sqlite = openSqlite(path, (file) => {
    configure(file, kind);
    if (path !== ":memory:") checkKind(file, path, kind);
    if (kind.isCheckedAtOpen) checkPages(file, path);
    migrate(file, kind);
  });
  return toDatabase(sqlite, path, { isNew, close: () => closeSqlite(sqlite) });
}

/** @param path the path to name in messages. */
export function toDatabase(
  sqlite: Connection,
  path: string,
  { isNew = false, close = () => sqlite.close() } = {},
): Database {
  return { orm: drizzle(sqlite), sqlite, path, isNew, close, [Symbol.dispose]: close };
}

/** @throws Fault for a file that cannot be read, or that SQLite would treat as a new database. */
export function refuseUnusable(path: string): void {
  let size: number;
  try {
    accessSync(path, constants.R_OK);
    size = statSync(path).size;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = { EACCES: "permission denied", ENOENT: "it is gone" };
    const reason = reasons[code ?? ""] ?? message;
    throw new Fault("store", `${path} cannot be read: ${reason}`, { cause: error });
  }
  if (size > 0) return;
  throw new Fault("damaged", `${path} is empty: it was truncated.`);
}

/** Closes the connection. Before that, moves the write-ahead log into the file if no other process uses the file. */
function closeSqlite(sqlite: Connection): void {
  try {
    emptyLog(sqlite);
  } catch {
    // Another process uses the file, or the disk refuses the write. The log stays, and the next opening reads it.
  }
  sqlite.close();
}

/**
 * Creates the file as a draft and links it into place, so that a crash cannot leave a partial file.
 * @returns false if another process has created the file meanwhile.
 */
function createFile(path: string, kind: DatabaseKind): boolean {
  const draft = getDraftPath(path);
  try {
    removeDeadDrafts(path);
    removeDatabase(draft);
    const setUp = (file: Connection) => {
      if (kind.isShrinkable) file.run("PRAGMA auto_vacuum = INCREMENTAL");
      migrate(file, kind);
    };
    openSqlite(draft, setUp, path).close();
    return putInPlace(draft, path);
  } catch (error) {
    throw toOpenFault(error, path);
  } finally {
    removeDatabase(draft);
  }
}

function openSqlite(path: string, setUp: (sqlite: Connection) => void, named = path): Connection {
  let sqlite: Connection | undefined;
  try {
    sqlite = new Connection(path, "create");
    setUp(sqlite);
    return sqlite;
  } catch (error) {
    sqlite?.close();
    throw toOpenFault(error, named);
  }
}

/** How long writes wait while `VACUUM` has the write lock. */
export const rewritingMilliseconds = 120_000;

function configure(sqlite: Connection, { busyMilliseconds = 10_000 }: DatabaseKind): void {
  sqlite.run(`PRAGMA busy_timeout = ${busyMilliseconds}`);
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run("PRAGMA foreign_keys = ON");
  sqlite.run("PRAGMA secure_delete = ON");
  sqlite.run(`PRAGMA journal_size_limit = ${logBytesMax}`);
}

/** The size in bytes to which SQLite truncates a write-ahead log that has grown. */
const logBytesMax = 8 * 2 ** 20;

export function checkKind(sqlite: Connection, path: string, kind: DatabaseKind): void {
  if (sqlite.readValue`PRAGMA application_id` !== kind.applicationId) {
    throw new Fault("wrong_database", `${path} is not a Roster ${kind.name} database.`);
  }
  const version = readFormNumber(sqlite);
  if (version > kind.migrations.length) {
    throw new Fault(
      "store",
      `${path} was written by a newer Roster (form ${version}, this one knows ${kind.migrations.length}). Use that version.`,
    );
  }
}

function checkPages(sqlite: Connection, path: string): void {
  const found = sqlite.readValue<string>`PRAGMA quick_check(1)`;
  if (found !== "ok") throw new Fault("damaged", `${path} is damaged: ${found}.`);
}

/** Migrates the file to the newest version, in one transaction. */
export function migrate(sqlite: Connection, kind: DatabaseKind): void {
  if (readFormNumber(sqlite) === kind.migrations.length) return;
  sqlite.transact(() => {
    // Read the version again inside the transaction: another process may have migrated meanwhile.
    const version = readFormNumber(sqlite);
    for (const sql of kind.migrations.slice(version)) sqlite.run(sql);
    sqlite.run(`PRAGMA application_id = ${kind.applicationId}`);
    sqlite.run(`PRAGMA user_version = ${kind.migrations.length}`);
  });
}

/** Returns the number of migrations applied to the file. */
export function readFormNumber(sqlite: Connection): number {
  return sqlite.readValue<number>`PRAGMA user_version` ?? 0;
}

/** Turns an error of SQLite or of the file system into a message for an operator. Returns a Fault unchanged. */
export function toOpenFault(error: unknown, path: string): Fault {
  const code = (error as { code?: unknown }).code;
  if (code === "SQLITE_NOTADB" || code === "SQLITE_CORRUPT") {
    return new Fault("damaged", `${path} is damaged or not a database.`, { cause: error });
  }
  const fault = toStoreFault(error, path);
  if (isFault(fault)) return fault;
  const reason = error instanceof Error ? error.message : String(error);
  return new Fault("store", `${path} cannot be opened: ${reason}`, { cause: error });
}

/** Prepares a statement at its first use and reuses it, because preparing all statements would delay the start. */
export function prepareOnce<Statement>(query: () => { prepare(): Statement }): () => Statement {
  let statement: Statement | undefined;
  return () => {
    statement ??= query().prepare();
    return statement;
  };
}
