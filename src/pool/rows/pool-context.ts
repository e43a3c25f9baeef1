/** The seam between the rows of the pool, which are written once, and the database that they are in. */
import type { Queries, Work } from "../../queries/work.ts";
import type { poolTables } from "../sqlite/tables.ts";

/** The tables that both databases have, under the types of SQLite's. */
export type PoolTables = typeof poolTables;

/** What queries need. */
export interface PoolQueries {
  readonly queries: Queries;
  readonly tables: PoolTables;
}

/** What work on the rows is given: the queries, and the steps that only one of the databases has. */
export interface PoolRows extends PoolQueries {
  /** @returns the visible rows by current login, or else by a former one that exactly one developer had. */
  findRows(logins: readonly string[]): Work<RowIds>;
  /** The same by current login only. */
  findCurrentRows(logins: readonly string[]): Work<RowIds>;
  /** @returns a row of findables without its id; PostgreSQL's has further columns, made of the keys. */
  toFindableValues(keys: string): { readonly keys: string };
  /** Drops the search indexes that nodes share, because they have the logins of everybody. */
  dropIndexes(): Work<void>;
  /** Makes every process read the suppression list again. */
  countSuppression(): Work<void>;
}

/** Row ids in the order of the logins that they were found by. */
export type RowIds = readonly (number | undefined)[];

type PoolWork<Result> = (rows: PoolRows) => Work<Result>;

/** Runs work on the rows of one database. Work may be run again from its beginning if it had no effect. */
export interface PoolContext {
  /** Runs work that changes nothing. */
  read<Result>(work: PoolWork<Result>): Promise<Result>;
  /** Runs work in a transaction, beside which nothing else changes the pool. Keep it short. */
  change<Result>(work: PoolWork<Result>): Promise<Result>;
  /** The same for a change that takes longer than the answer to a call may. */
  changeAtLength<Result>(work: PoolWork<Result>): Promise<Result>;
}

/** What new rows are marked with. */
export interface PoolSources {
  readonly now: () => Date;
  readonly random: RandomSource;
}

/** @returns `count` random bytes. */
export type RandomSource = (count: number) => Uint8Array;
