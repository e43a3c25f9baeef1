/**
 * The tables of ingest.db. The migration is made from this file, in this folder:
 * `bunx drizzle-kit generate --dialect sqlite --schema tables.ts --out migrations --name WORD`.
 */
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** @package A repository as it was read at one place. */
export const places = sqliteTable(
  "place",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Real path; null when something else stands there now. */
    directory: text(),
    /** As the caller named it. */
    path: text().notNull(),
    name: text().notNull(),
    forge: text(),
    owner: text(),
    /** The commit that was HEAD when it was read. */
    head: text().notNull(),
    /** Fingerprint of what maps its authors. */
    mailmap: text().notNull(),
    /** Which Roster read it. */
    edition: text().notNull(),
    /** ISO 8601, UTC. */
    readAt: text("read_at").notNull(),
    commits: integer().notNull(),
    /** Commits without parents, as a JSON list. */
    roots: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    /** Latest author date in seconds. */
    latest: integer().notNull(),
    /** What the last counting said of it, as JSON; null before the first. */
    summary: text({ mode: "json" }).$type<unknown>(),
  },
  (table) => [index("place_directory").on(table.directory)],
);

/** @package What is needed beside the commits; JSON compressed by zstd. */
export const histories = sqliteTable("history", {
  placeId: integer("place_id").primaryKey(),
  /** To go on reading. */
  names: blob({ mode: "buffer" }).notNull(),
  /** To count. */
  sense: blob({ mode: "buffer" }).notNull(),
});

/** @package Kept commits, compressed. */
export const segments = sqliteTable(
  "segment",
  {
    placeId: integer("place_id").notNull(),
    sequence: integer().notNull(),
    commits: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.placeId, table.sequence] })],
);

/** @package Logins that the pool has from here. */
export const brought = sqliteTable("brought", {
  login: text().primaryKey(),
});

/** @package One row. */
export const ledgerState = sqliteTable("ledger_state", {
  id: integer().primaryKey(),
  /** Grows with every change of what is known. */
  revision: integer().notNull(),
  /** Which of them the pool shows, and how it was counted, as JSON; null before the first. */
  applied: text({ mode: "json" }).$type<unknown>(),
});
