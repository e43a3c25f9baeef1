/**
 * Deleting is not enough to be rid of bytes. SQLite overwrites what it deletes (`secure_delete`), but a page that was split or
 * joined may still hold a copy in the part that it does not use, and the write-ahead log holds older pages.
 *
 * So the log is emptied, and while a lock keeps all writers out, the unused parts are overwritten in the file. Pages that other
 * connections keep in memory still have them, and may be written back: a commit that changes nothing ends the lock, because
 * after a commit of another connection SQLite forgets the pages that it keeps.
 */
import { statSync } from "node:fs";
import { Fault } from "../../contract/fault.ts";
import { Connection } from "../connection.ts";
import { type Database, type DatabaseKind, readFormNumber } from "../database.ts";
import { emptyLog } from "../empty-log.ts";
import { cleanPages } from "./clean-pages.ts";
import { openBytes } from "./file-bytes.ts";
import { classifyPages, readLayout, type Tree, UnknownLayout } from "./page-kinds.ts";
import { rewriteFile } from "./rewrite-file.ts";

/** The log can be emptied only while no process reads, and a running server may read for seconds to build its next index. */
const attemptsUsual = 40;
const pauseMilliseconds = 250;
const waitMilliseconds = 500;

/**
 * Removes from the file and its log all bytes of what was deleted. Other processes may read and write beside it. Blocks this
 * thread.
 *
 * @param attempts how often to try while others use the log, at most 0.75 seconds each.
 * @returns false when another process read or wrote all the time: then old bytes may remain, and it must be repeated.
 * @throws SQLite's error, or the system's.
 */
export function cleanFile(
  store: Database,
  kind: CleanedKind = {},
  attempts = attemptsUsual,
): boolean {
  const { sqlite, path } = store;
  if (path === ":memory:") return true;
  if (kind.isShrinkable && !isShrinkable(store)) rewriteFile(store, kind);
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (emptyLog(sqlite, waitMilliseconds) && cleanInPlace(store, kind)) {
      emptyLog(sqlite);
      return true;
    }
    Bun.sleepSync(pauseMilliseconds);
  }
  return false;
}

type CleanedKind = Pick<DatabaseKind, "isShrinkable" | "impersonal">;

/** @throws Fault where `cleanFile` returns false. */
export function requireClean(store: Database, kind: CleanedKind): void {
  if (cleanFile(store, kind)) return;
  throw new Fault("store", `${store.path} could not be cleaned: another process keeps reading it.`);
}

/** Whether the file gives space back: files of the first versions learn it when they are rewritten. */
function isShrinkable({ sqlite }: Database): boolean {
  return sqlite.readValue`PRAGMA auto_vacuum` === 2;
}

/** @returns whether it was done; not when somebody wrote since the log was emptied. */
function cleanInPlace(store: Database, kind: CleanedKind): boolean {
  try {
    return eraseUnused(store.path, kind);
  } catch (error) {
    if (!(error instanceof UnknownLayout) && !(error instanceof RangeError)) throw error;
    // Pages that belong to nothing, as another program may leave them: only a new file is without them.
    rewriteFile(store, kind);
    return emptyLog(store.sqlite, waitMilliseconds);
  }
}

/**
 * Overwrites what the file holds and SQLite does not read, on a connection of its own, which ends before it could write back a
 * page that it has read.
 *
 * @package
 * @returns whether it was done; not while the log holds something.
 */
export function eraseUnused(
  path: string,
  { impersonal = [] }: Pick<DatabaseKind, "impersonal"> = {},
  file = openBytes(path),
): boolean {
  const sqlite = new Connection(path, "write");
  try {
    sqlite.run(`PRAGMA busy_timeout = ${waitMilliseconds}`);
    sqlite.run("BEGIN IMMEDIATE");
    if (!isLogEmpty(path)) return false;
    const layout = readLayout(file, countPages(sqlite));
    cleanPages(file, layout, classifyPages(file, layout, listTrees(sqlite, impersonal)));
    file.sync();
    // A reader may have taken pages into memory since the log was emptied.
    sqlite.run(`PRAGMA user_version = ${readFormNumber(sqlite)}`);
    sqlite.run("COMMIT");
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "SQLITE_BUSY") return false;
    throw error;
  } finally {
    sqlite.close();
  }
}

function isLogEmpty(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

function countPages(sqlite: Connection): number {
  return sqlite.readValue<number>`PRAGMA page_count` ?? 0;
}

/**
 * Bytes of a row stay in its own tree: a page goes to another tree by way of the free pages alone, where SQLite has overwritten it
 * (`secure_delete`).
 */
function listTrees(sqlite: Connection, impersonal: readonly string[]): readonly Tree[] {
  return sqlite.readRows<{ root: number; table: string }>`
    SELECT rootpage AS root, tbl_name AS "table" FROM sqlite_schema WHERE rootpage > 0`.map(
    ({ root, table }) => ({ root, isImpersonal: impersonal.includes(table) }),
  );
}
