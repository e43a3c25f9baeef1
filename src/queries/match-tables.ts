import type { Table } from "drizzle-orm";

/** Tables whose rows have the same fields, of the same types, as those of `Shared`. */
type SameRows<Shared> = {
  readonly [Name in keyof Shared]: Shared[Name] extends Table
    ? Pick<Shared[Name], "$inferSelect" | "$inferInsert">
    : Shared[Name];
};

/**
 * Gives PostgreSQL's tables the types of SQLite's, for work that is written once. A column that differs in name or in
 * the type of its values does not compile.
 */
export function matchTables<Shared>(tables: SameRows<Shared>): Shared {
  return tables as Shared;
}
