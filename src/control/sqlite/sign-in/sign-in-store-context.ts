import type { Database } from "../../../sqlite/database.ts";
import type { NewAuditEntry } from "../../account-records.ts";
import type { AccountRows } from "../account-rows.ts";

/** What the parts of the store share that are ports of their own. */
export interface SignInStoreContext {
  readonly store: Database;
  readonly accountRows: AccountRows;
  /** Runs the work under the store's fail-stop. */
  guarded<Result>(work: () => Result): Result;
  /**
   * Runs the work in one transaction. It passes its audit entries to `log`; if there were any, the high-water
   * mark is written afterwards.
   */
  transact<Result>(work: (log: (entry: NewAuditEntry) => void) => Result): Result;
}
