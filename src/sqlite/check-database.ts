/**
 * Finds damage in a database file. SQLite has no checksums of pages, so its own check does not notice a flipped bit inside a
 * value. Each module therefore also checks the content of its rows, for example `checkPoolContent`.
 */
import { isFault } from "../contract/fault.ts";
import type { Database, DatabaseKind } from "./database.ts";
import { openReadOnly, readStamp } from "./read-only.ts";
import { getStoreErrorCode, toStoreFault } from "./store-fault.ts";

/**
 * A check in short steps. The caller may pause between two steps, because no transaction is open then.
 * @returns messages about what is wrong. The messages name no person.
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
 * @throws Fault if the file cannot be read.
 */
export function* checkFile(
  path: string,
  kind: DatabaseKind,
  ...checks: readonly ((store: Database) => Check)[]
): Check {
  for (;;) {
    const before = readStamp(path);
    const faults = yield* checkOnce(path, kind, checks);
    // If another process wrote during the check, check again, because the findings may be wrong.
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
  using opened = store;
  try {
    const faults: string[] = [];
    for (const check of checks) faults.push(...(yield* check(opened)));
    return faults;
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

/** The maximum number of findings to report. */
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

/** Adds SQLite's errors about unreadable pages to the findings. @throws errors that do not mean damage. */
export function collectFindings(list: () => readonly string[]): readonly string[] {
  try {
    return list();
  } catch (error) {
    return [describeFinding(error)];
  }
}

/** Returns SQLite's message about an unreadable page. @throws errors that do not mean damage. */
export function describeFinding(error: unknown): string {
  if (passing.test(getStoreErrorCode(error) ?? "")) throw error;
  return error instanceof Error ? error.message : String(error);
}

/** Errors that do not mean damage: another process may have a lock, or the disk may be full. */
const passing =
  /^SQLITE_(BUSY|LOCKED|PROTOCOL|CANTOPEN|NOMEM|FULL|INTERRUPT|IOERR_(NOMEM|LOCK|SHM|BLOCKED|WRITE|FSYNC))/;
