import type { Queries, Work } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { ControlTables } from "../tables/control-tables.ts";

/** The interface between the port's rows, which are written once, and the database. Each adapter implements it. */
export interface RowsContext {
  readonly tables: ControlTables;
  /** Runs read-only work. */
  read<Result>(work: (queries: Queries) => Work<Result>): Promise<Result>;
  /** Runs one statement that commits by itself, without an audit entry. */
  commitOne<Result>(work: (queries: Queries) => Work<Result>): Promise<Result>;
  /** Runs the work in one transaction while no other runs: what it has read remains true until it commits. */
  transact<Result>(work: (queries: Queries, log: LogEntry) => Work<Result>): Promise<Result>;
}

/** Adds an entry to the audit log, in the transaction of the logged change. */
export type LogEntry = (entry: NewAuditEntry) => Work<void>;
