import type { Queries, Work } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { ControlTables } from "../tables/control-tables.ts";

/** What rows need of the database that holds them: each adapter makes one, and all of the port's rows are built on it. */
export interface RowsContext {
  readonly tables: ControlTables;
  /** Runs work that changes nothing. */
  read<Result>(work: (queries: Queries) => Work<Result>): Promise<Result>;
  /** Runs one statement that commits by itself, without an audit entry. */
  commitOne<Result>(work: (queries: Queries) => Work<Result>): Promise<Result>;
  /** Runs the work in one transaction beside no other: what it has read stays true until it commits. */
  transact<Result>(work: (queries: Queries, log: LogEntry) => Work<Result>): Promise<Result>;
}

/** Adds an entry to the audit log, in the transaction of the change that it is about. */
export type LogEntry = (entry: NewAuditEntry) => Work<void>;
