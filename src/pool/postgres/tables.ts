/** The tables of PostgreSQL's schema `pool`. A change needs a migration written by hand. */
import { isNull, sql } from "drizzle-orm";
import { index, integer, pgSchema, primaryKey, smallint } from "drizzle-orm/pg-core";
import { bytes, text, texts } from "../../postgres/column-types.ts";
import { createTableKit } from "../../postgres/table-kit.ts";
import { matchTables } from "../../queries/match-tables.ts";
import type { PoolTables } from "../rows/pool-context.ts";
import { definePoolTables } from "../tables/pool-tables.ts";

/** @package The schema of the pool. */
export const poolSchema = pgSchema("pool");

/** @package The table has one row. Every change of the pool updates this row first, so that no two changes run at once. */
export const poolState = poolSchema.table("pool_state", {
  id: integer().primaryKey(),
  name: text().notNull(),
  revision: integer().notNull(),
  /** Grows with every change, visible or not. */
  changes: integer().notNull(),
  /** Grows with every change of the suppression list, for nodes of earlier releases, which cache the list. */
  suppression: integer().notNull(),
});

/** @package Describes the running import, for display. */
export const importNotes = poolSchema.table("import_note", {
  id: integer().primaryKey(),
  holder: text().notNull(),
  progress: text(),
});

/** @package The search texts of developers. In old rows, the columns computed from `keys` are null until the first search. */
export const findables = poolSchema.table(
  "findable",
  {
    rowId: integer("row_id").primaryKey(),
    keys: text().notNull(),
    /** The score in tenths of a point. */
    score: smallint(),
    /** The result of `formatNames`. */
    names: text(),
    /** The result of `listKeys`. */
    exactKeys: texts("exact_keys"),
  },
  (table) => [
    index("findable_names")
      .using("gin", sql`array_to_tsvector(string_to_array(${table.names}, ' '))`)
      .with({ fastupdate: false }),
    index("findable_keys").using("gin", table.exactKeys).with({ fastupdate: false }),
    index("findable_unprepared").on(table.rowId).where(isNull(table.names)),
  ],
);

/** @package The search index that a node has built; see `SharedIndexes`. */
export const searchIndexes = poolSchema.table(
  "search_index",
  {
    edition: text().notNull(),
    sequence: integer().notNull(),
    content: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.edition, table.sequence] })],
);

/** @package The tables that SQLite also has, with the types of SQLite's tables. */
export const poolTables: PoolTables = {
  ...definePoolTables(createTableKit(poolSchema)),
  ...matchTables<Pick<PoolTables, "poolState" | "findables">>({ poolState, findables }),
};
