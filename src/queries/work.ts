/**
 * Database work that is written once for SQLite and PostgreSQL: a generator that yields each query and receives its rows.
 * SQLite runs a query at once, so nothing else runs between two queries of the same work and no lock is needed;
 * PostgreSQL awaits it.
 */
import type { SQL } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";

/** Builds queries. PostgreSQL's builder has the same methods; its tables are passed under SQLite's types by `matchTables`. */
export type Queries = Pick<
  BunSQLiteDatabase,
  "select" | "selectDistinct" | "insert" | "update" | "delete"
>;

/** A query, and how to run it: for its rows, for its effect, or as plain SQL. */
export type WorkStep =
  | { readonly kind: "rows" | "change"; readonly query: unknown }
  | { readonly kind: "sql"; readonly query: SQL };

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

/** Runs a statement that both databases read alike and for which drizzle has no method. */
export function* fetchSql<Row>(query: SQL): Work<Row[]> {
  return (yield { kind: "sql", query }) as Row[];
}
