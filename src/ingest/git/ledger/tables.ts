/**
 * The tables of ingest.db. A change needs a migration, which is written by hand; `test/sqlite/migrations.test.ts` compares both.
 */
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export { fileState } from "../../../sqlite/file-state.ts";

/** @package One place where a repository was read. */
export const places = sqliteTable(
  "place",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Real path; null when another repository is there now. */
    directory: text(),
    /** As given by the caller. */
    path: text().notNull(),
    name: text().notNull(),
    forge: text(),
    owner: text(),
    /** The commit that was HEAD when it was read. */
    head: text().notNull(),
    /** Fingerprint of its mailmap. */
    mailmap: text().notNull(),
    /** The version of Roster and of its stored form that read it. */
    edition: text().notNull(),
    /** ISO 8601, UTC. */
    readAt: text("read_at").notNull(),
    commits: integer().notNull(),
    /** Commits without parents, as a JSON list. */
    roots: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    /** Latest author date in seconds. */
    latest: integer().notNull(),
    /** Its summary of the last run, as JSON; null before the first. */
    summary: text({ mode: "json" }).$type<unknown>(),
  },
  (table) => [index("place_directory").on(table.directory)],
);

/** @package Histories without their commits, as JSON compressed by zstd. */
export const histories = sqliteTable("history", {
  placeId: integer("place_id").primaryKey(),
  /** `HistoryNames`, needed to continue reading. */
  names: blob({ mode: "buffer" }).notNull(),
  /** `PathMetadata`, needed to count. */
  sense: blob({ mode: "buffer" }).notNull(),
});

/** @package Stored commits, compressed. */
export const segments = sqliteTable(
  "segment",
  {
    placeId: integer("place_id").notNull(),
    sequence: integer().notNull(),
    commits: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.placeId, table.sequence] })],
);

/** @package Logins that the pool may have from git. */
export const brought = sqliteTable("brought", {
  login: text().primaryKey(),
});

/** @package A table of one row. */
export const ledgerState = sqliteTable("ledger_state", {
  id: integer().primaryKey(),
  /** Grows with every change of the stored repositories. */
  revision: integer().notNull(),
  /** The run whose result the pool shows, as JSON; null when there is none. */
  applied: text({ mode: "json" }).$type<unknown>(),
});
