/** The tables of pool.db. A change needs a migration written by hand. */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { tableKit } from "../../queries/table-kit.ts";
import { definePoolTables } from "../tables/pool-tables.ts";

/** The table has one row, with the number of visible changes. */
const poolState = sqliteTable("pool_state", {
  id: integer().primaryKey(),
  revision: integer().notNull(),
});

/** The names and keys by which a row is found, as JSON (`../rows/pack-findable.ts`). Old rows have none. */
const findables = sqliteTable("findable", {
  rowId: integer("row_id").primaryKey(),
  keys: text().notNull(),
});

export const poolTables = { ...definePoolTables(tableKit), poolState, findables };
