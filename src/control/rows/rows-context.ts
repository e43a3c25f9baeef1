import type { Queries, Work } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { ControlTables } from "../tables/control-tables.ts";

/** What the modules of this folder need from a database. The SQLite and the PostgreSQL adapter implement it. */
export interface RowsContext {
  readonly tables: ControlTables;
  read<Result>(work: (queries: Queries) => Work<Result>): Promise<Result>;
  /** Runs one statement, which commits by itself. */
  commitOne<Result>(work: (queries: Queries) => Work<Result>): Promise<Result>;
  /** Runs the work in one transaction. No other transaction runs meanwhile. */
  transact<Result>(work: (queries: Queries, log: LogEntry) => Work<Result>): Promise<Result>;
}

/** Adds an entry to the audit log, in the transaction of the logged change. */
export type LogEntry = (entry: NewAuditEntry) => Work<void>;
