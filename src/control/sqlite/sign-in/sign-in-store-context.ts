import type { Database } from "../../../sqlite/database.ts";
import type { NewAuditEntry } from "../../account-records.ts";
import type { AccountRows } from "../account-rows.ts";

/** @package What control.db does for every part of it: one transaction with its audit entry, fail-stop. */
export interface SignInStoreContext {
  readonly store: Database;
  readonly accountRows: AccountRows;
  guarded<Result>(work: () => Result): Result;
  /**
   * Runs the work in one transaction; it logs with `log`, if there is anything to log, and the mark follows
   * when it did.
   */
  transact<Result>(work: (log: (entry: NewAuditEntry) => void) => Result): Result;
}
