/**
 * The tables of ingest.db that drizzle reads. A change needs a migration, which is written by hand; `test/sqlite/migrations.test.ts`
 * compares both. The other tables are read in SQL: `test/sqlite/ledger-tables.ts` says what their columns hold.
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
    /** The commit of its notes that was read; empty where it had none, null until its notes are read. */
    notes: text(),
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
    /** How many of its segments the index of commits has. */
    indexed: integer().notNull().default(0),
    /** Whether nothing of what it is counted from has changed since. */
    isCounted: integer("is_counted", { mode: "boolean" }).notNull().default(false),
    /** The repository that it was counted in: the least id of its clones. */
    repositoryId: integer("repository_id"),
    /** Whether it is about to be forgotten. */
    isLeaving: integer("is_leaving", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("place_directory").on(table.directory),
    index("place_repository").on(table.repositoryId),
  ],
);

/** @package Histories without their commits, as JSON compressed by zstd. */
export const histories = sqliteTable("history", {
  placeId: integer("place_id").primaryKey(),
  /** `HistoryNames`, needed to continue reading. */
  names: blob({ mode: "buffer" }).notNull(),
  /** `PathMetadata`, needed to count, without `NamedPeople`; with them in older forms. */
  sense: blob({ mode: "buffer" }).notNull(),
});

/** @package Whom histories name: apart, so that an erasure need not read and write the rest. */
export const historyPeople = sqliteTable("history_people", {
  placeId: integer("place_id").primaryKey(),
  /** `NamedPeople`, as JSON compressed by zstd. */
  content: blob({ mode: "buffer" }).notNull(),
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

/** @package What notes say of commits, also of commits that the history does not have: see `note-rows.ts`. */
export const notes = sqliteTable(
  "note",
  {
    placeId: integer("place_id").notNull(),
    /** Of the commit. */
    fingerprint: integer().notNull(),
    /** `KeptNote.content`. */
    content: text().notNull(),
    verdict: text().notNull(),
    /** Lines by agent, as JSON. */
    lines: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.placeId, table.fingerprint] })],
);

/** @package Logins that the pool may have from git. */
export const brought = sqliteTable("brought", {
  login: text().primaryKey(),
});

/** @package A table of one row. */
export const ledgerState = sqliteTable("ledger_state", {
  id: integer().primaryKey(),
  /** The run whose result the pool shows, as JSON; null when there is none. */
  applied: text({ mode: "json" }).$type<unknown>(),
  /** `IdentityState`. */
  identified: text({ mode: "json" }).$type<unknown>(),
});

/** @package Whom the history of a place names, as author or in a trailer. */
export const mentions = sqliteTable(
  "mention",
  {
    placeId: integer("place_id").notNull(),
    spellingId: integer("spelling_id").notNull(),
    /** Its number among the authors of the repository; that of an erased one stays free. */
    number: integer().notNull(),
    /** Id of one of its commits. */
    sample: text(),
  },
  (table) => [
    primaryKey({ columns: [table.placeId, table.spellingId] }),
    index("mention_spelling").on(table.spellingId),
  ],
);
