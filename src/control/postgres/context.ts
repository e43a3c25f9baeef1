import type { PostgresDatabase, Statements } from "../../postgres/database.ts";
import { lockFor } from "../../postgres/migrate.ts";
import type { NewAuditEntry } from "../account-records.ts";
import { appendAudit } from "./audit.ts";

/** Adds an entry to the audit log, in the transaction of the change that it is about. */
export type LogEntry = (entry: NewAuditEntry) => Promise<void>;

/** What the parts of the store share that are ports of their own. */
export interface ControlContext {
  readonly database: PostgresDatabase;
  readonly read: PostgresDatabase["read"];
  /** Runs one statement that writes, without an audit entry. */
  readonly commitOne: PostgresDatabase["commitOne"];
  /**
   * Runs the work in a transaction that no other such one runs beside, on any node: what it has read stays true until it
   * commits, as in SQLite. Charges and the sign-in library's own rows do not wait for it.
   */
  transact<Result>(
    work: (statements: Statements, log: LogEntry) => Promise<Result>,
  ): Promise<Result>;
}

/** @package */
export function createContext(database: PostgresDatabase): ControlContext {
  return {
    database,
    read: database.read,
    commitOne: database.commitOne,
    transact: (work) =>
      database.transact(async (statements) => {
        await lockFor("control", (statement) => statements.execute(statement));
        return work(statements, (entry) => appendAudit(statements, entry));
      }),
  };
}
