/**
 * Database work that is written once for SQLite and PostgreSQL. It is a generator that yields each query and receives the rows.
 */
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/** Builds queries, for either database. */
export type Queries = Pick<
  BunSQLiteDatabase,
  "select" | "selectDistinct" | "insert" | "update" | "delete"
>;

/** A query and how to run it, or rows to insert. */
export type WorkStep =
  | { readonly kind: "rows" | "change"; readonly query: unknown }
  | ({ readonly kind: "insert" } & Insertion);

/** Rows to insert, which all have the same fields. */
export interface Insertion {
  readonly table: SQLiteTable;
  readonly rows: readonly object[];
  /** The columns of the inserted rows to return. */
  readonly returning: Readonly<Record<string, SQLiteColumn>>;
}

export type Work<Result> = Generator<WorkStep, Result, unknown>;

/** Runs a query and returns all its rows. */
export function* fetchRows<Row>(query: { all(): Row[] }): Work<Row[]> {
  return (yield { kind: "rows", query }) as Row[];
}

/** Runs a query and returns its first row. */
export function* fetchRow<Row>(query: { all(): Row[] }): Work<Row | undefined> {
  const [row] = yield* fetchRows(query);
  return row;
}

/** Runs a query that returns nothing. */
export function* execute(query: { run(): unknown }): Work<void> {
  yield { kind: "change", query };
}

/** Splits values, because both databases limit the values of a statement, and transactions must be short. */
export function* splitInBatches<Value>(all: readonly Value[], most: number): Generator<Value[]> {
  for (let at = 0; at < all.length; at += most) yield all.slice(at, at + most);
}

/** Inserts many rows that have the same fields. @returns the given columns of the inserted rows. */
export function* insertRows<
  Into extends SQLiteTable,
  Columns extends Record<string, SQLiteColumn> = Record<never, never>,
>(
  table: Into,
  rows: readonly Into["$inferInsert"][],
  returning = {} as Columns,
): Work<{ readonly [Name in keyof Columns]: Columns[Name]["_"]["data"] }[]> {
  if (rows.length === 0) return [];
  return (yield { kind: "insert", table, rows, returning }) as never;
}
