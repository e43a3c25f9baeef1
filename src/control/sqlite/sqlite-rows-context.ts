import { Fault } from "../../contract/fault.ts";
import type { Database } from "../../sqlite/database.ts";
import { runAtOnce } from "../../sqlite/run-at-once.ts";
import { getStoreErrorCode, isSpaceError, toStoreFault } from "../../sqlite/store-fault.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { ControlEvents } from "../control-store.ts";
import { appendAudit } from "../rows/audit-rows.ts";
import type { RowsContext } from "../rows/rows-context.ts";
import { tables } from "./tables.ts";

/** @package Refuses every call after the first unrecoverable failure (fail-stop). */
export type StoreGuard = ReturnType<typeof createStoreGuard>;

/** @package @param path the file that error messages name. */
export function createStoreGuard(path: string, events: ControlEvents) {
  let failure: Error | undefined;
  /** @throws the error of the work. @throws Fault `store` after an unrecoverable failure. */
  const guard = <Result>(work: () => Result): Result => {
    if (failure) throw new Fault("store", "the control store has stopped", { cause: failure });
    try {
      return work();
    } catch (thrown) {
      if (!failure && isUnrecoverable(thrown, path)) {
        failure = thrown as Error;
        events.failed?.(failure);
      }
      throw thrown;
    }
  };
  // An async function would take several times as long. Each request calls this twice.
  const run = <Result>(work: () => Result): Promise<Result> => {
    try {
      return Promise.resolve(guard(work));
    } catch (error) {
      return Promise.reject(toStoreFault(error, path));
    }
  };
  return { failure: () => failure, guard, run };
}

/** @package Runs the work even after a failure. @throws Fault that names the file. */
export async function runUnguarded<Result>(path: string, work: () => Result): Promise<Result> {
  try {
    return work();
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

/** Whether the store cannot recover by itself. It recovers from a full disk, but not from a failed read, write or sync. */
function isUnrecoverable(thrown: unknown, path: string): boolean {
  const code = getStoreErrorCode(thrown) ?? "";
  if (/^SQLITE_IOERR_SHM/.test(code) || isSpaceError(code, path)) return false;
  return /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(code);
}

/** @package @param moveMark updates the high-water mark after a commit with audit entries. */
export function createRowsContext(
  { orm, sqlite }: Database,
  { run }: StoreGuard,
  moveMark: () => void,
): RowsContext {
  return {
    tables,
    read: (work) => run(() => runAtOnce(orm, work)),
    commitOne: (work) =>
      run(() => {
        sqlite.changes++;
        return runAtOnce(orm, work);
      }),
    transact: (work) =>
      run(() => {
        sqlite.changes++;
        let isLogged = false;
        const log = (entry: NewAuditEntry) => {
          isLogged = true;
          return appendAudit(orm, tables, entry);
        };
        const transaction = sqlite.transaction(() =>
          runAtOnce(orm, (queries) => work(queries, log)),
        );
        const result = transaction.immediate();
        if (isLogged) moveMark();
        return result;
      }),
  };
}
