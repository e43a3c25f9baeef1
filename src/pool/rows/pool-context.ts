/** The interface between a database and the pool's queries. The queries are the same for both databases. */
import type { Queries, Work } from "../../queries/work.ts";
import type { poolTables } from "../sqlite/tables.ts";

/** The tables that both databases have, with the types of SQLite's tables. */
export type PoolTables = typeof poolTables;

/** A query builder and the tables of one database. */
export interface PoolQueries {
  readonly queries: Queries;
  readonly tables: PoolTables;
}

/** What work on the rows needs: queries, tables, and the steps that differ between the databases. */
export interface PoolRows extends PoolQueries {
  /** @returns the visible row of each login. If nobody has the login now, the row of the only developer who had it before. */
  findRows(logins: readonly string[]): Work<RowIds>;
  /** @returns the visible row of each login. Former logins are ignored. */
  findCurrentRows(logins: readonly string[]): Work<RowIds>;
  /** @returns a row of `findables` without its id. */
  toFindableValues(keys: string): { readonly keys: string };
  /** Deletes the search indexes that nodes share, because they contain data of everyone. */
  dropIndexes(): Work<void>;
  /** Makes nodes of earlier releases read the suppression list again. */
  countSuppression(): Work<void>;
}

/** One row id for each login, in order. Undefined if no row is found. */
export type RowIds = readonly (number | undefined)[];

type PoolWork<Result> = (rows: PoolRows) => Work<Result>;

/** Runs work on the rows of one database. Work that failed without effect may be run again. */
export interface PoolContext {
  read<Result>(work: PoolWork<Result>): Promise<Result>;
  /** Runs work in a transaction, while no other transaction changes the pool. Keep it short. */
  change<Result>(work: PoolWork<Result>): Promise<Result>;
  /** Runs a change that may take longer than the time limit of a statement. */
  changeAtLength<Result>(work: PoolWork<Result>): Promise<Result>;
}

/** The clock and the random numbers for new rows. */
export interface PoolSources {
  readonly now: () => Date;
  readonly random: RandomSource;
}

/** @returns `count` random bytes. */
export type RandomSource = (count: number) => Uint8Array;

export const systemRandom: RandomSource = (count) => crypto.getRandomValues(new Uint8Array(count));

/** How a pool is opened, in either database. */
export interface PoolSettings {
  readonly now: () => Date;
  /** Returns random bytes for salts and ids. The default is the system's source. */
  readonly random?: RandomSource;
  /** Called for each read that fails because data is damaged. The reason names no person. */
  readonly onDamage?: (reason: string) => void;
}
