/**
 * Finds damage in a database file. SQLite has no checksums of pages, so its own check does not notice a flipped bit inside a
 * value. Each module therefore also checks the content of its rows, for example `checkPoolContent`.
 */
import { isFault } from "../contract/fault.ts";
import type { Database, DatabaseKind } from "./database.ts";
import { openReadOnly, readStamp } from "./read-only.ts";
import { getStoreErrorCode, toStoreFault } from "./store-fault.ts";

/**
 * A check in short steps. No transaction is open between two steps, so the caller may pause: a long transaction would keep the
 * write-ahead log from shrinking and an erasure from cleaning the file.
 * @returns messages about what is wrong, which name no person; empty if nothing was found.
 */
export type Check = Generator<void, readonly string[]>;

/** Runs a check without pauses. */
export function runCheck(check: Check): readonly string[] {
  for (;;) {
    const step = check.next();
    if (step.done) return step.value;
  }
}

/**
 * Opens the file as `openReadOnly` does, and runs the checks on it. A file that is damaged or of another kind is also a finding.
 * @throws Fault if the file cannot be read: then nothing is known about its content.
 */
export function* checkFile(
  path: string,
  kind: DatabaseKind,
  ...checks: readonly ((store: Database) => Check)[]
): Check {
  for (;;) {
    const before = readStamp(path);
    const faults = yield* checkOnce(path, kind, checks);
    // Without locks, another process may have written during the read, and the findings may mix old and new pages. Check again.
    if (faults.length === 0 || readStamp(path) === before) return faults;
  }
}

function* checkOnce(
  path: string,
  kind: DatabaseKind,
  checks: readonly ((store: Database) => Check)[],
): Check {
  let store: Database;
  try {
    store = openReadOnly(path, kind);
  } catch (error) {
    if (isFault(error, "damaged") || isFault(error, "wrong_database")) return [error.message];
    throw error;
  }
  try {
    const faults: string[] = [];
    for (const check of checks) faults.push(...(yield* check(store)));
    return faults;
  } catch (error) {
    throw toStoreFault(error, path);
  } finally {
    store.close();
  }
}

/** The most findings of one kind that are reported. */
const findingsMax = 5;

/** Checks pages, indexes, constraints and references, one table per step. Does not check values. */
export function* checkStructure({ sqlite }: Database): Check {
  const faults: string[] = [];
  const collect = (list: () => readonly string[]) => {
    const found = collectFindings(list);
    faults.push(...found.slice(0, Math.max(0, findingsMax - faults.length)));
  };
  let tables: readonly string[] = [];
  collect(() => {
    tables = sqlite.readColumn`
      SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`;
    return [];
  });
  for (const table of tables) {
    yield;
    collect(() => {
      const pragma = `PRAGMA integrity_check('${table.replaceAll("'", "''")}')`;
      // One row of the result may contain a headline and several lines.
      const lines = sqlite.readColumn<string>(pragma).flatMap((row) => row.split("\n"));
      return lines.filter((line) => line !== "ok" && !line.startsWith("***"));
    });
  }
  yield;
  collect(() => {
    const rows = sqlite.readRows<{ table: string; parent: string }>`PRAGMA foreign_key_check`;
    return rows.map(
      ({ table, parent }) => `a row of ${table} refers to a missing one of ${parent}`,
    );
  });
  return faults;
}

/** @returns the findings, with SQLite's errors about unreadable pages. @throws errors that say nothing about the file. */
export function collectFindings(list: () => readonly string[]): readonly string[] {
  try {
    return list();
  } catch (error) {
    if (passing.test(getStoreErrorCode(error) ?? "")) throw error;
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Errors that say nothing about the file: another process has a lock, or memory, file descriptors or disk space are short. */
const passing =
  /^SQLITE_(BUSY|LOCKED|PROTOCOL|CANTOPEN|NOMEM|FULL|INTERRUPT|IOERR_(NOMEM|LOCK|SHM|BLOCKED|WRITE|FSYNC))/;
