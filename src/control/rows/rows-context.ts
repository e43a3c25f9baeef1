import type { Queries, Work } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { ControlTables } from "../tables/control-tables.ts";

/** What the rows modules need from a database. The SQLite adapter and the PostgreSQL adapter implement it. */
export interface RowsContext {
  readonly tables: ControlTables;
  /** Runs read-only work. */
  read<Result>(work: (queries: Queries) => Work<Result>): Promise<Result>;
  /** Runs one statement that commits by itself, without an audit entry. */
  commitOne<Result>(work: (queries: Queries) => Work<Result>): Promise<Result>;
  /** Runs the work in one transaction. No other transaction runs meanwhile, so what the work has read remains true. */
  transact<Result>(work: (queries: Queries, log: LogEntry) => Work<Result>): Promise<Result>;
}

/** Adds an entry to the audit log, in the transaction of the logged change. */
export type LogEntry = (entry: NewAuditEntry) => Work<void>;
