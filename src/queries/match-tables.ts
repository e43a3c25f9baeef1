import type { Table } from "drizzle-orm";

/** Tables that have the same fields as the tables of `Shared`, with the same types. */
type SameRows<Shared> = {
  readonly [Name in keyof Shared]: Shared[Name] extends Table
    ? Pick<Shared[Name], "$inferSelect" | "$inferInsert">
    : Shared[Name];
};

/** Gives PostgreSQL's tables the types of SQLite's tables. A column that differs in name or type does not compile. */
export function matchTables<Shared>(tables: SameRows<Shared>): Shared {
  return tables as Shared;
}
