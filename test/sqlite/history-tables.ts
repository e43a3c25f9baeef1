/** What the columns hold of the tables of ingest.db that have what was read: see `ledger-tables.ts`. */
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Histories without their commits, as JSON compressed by zstd. */
export const histories = sqliteTable("history", {
  placeId: integer("place_id").primaryKey(),
  /** `HistoryNames`, needed to continue reading. */
  names: blob({ mode: "buffer" }).notNull(),
  /** `PathMetadata`, needed to count, without `NamedPeople`; with them in older forms. */
  sense: blob({ mode: "buffer" }).notNull(),
});

/** Whom histories name: apart, so that an erasure need not read and write the rest. */
export const historyPeople = sqliteTable("history_people", {
  placeId: integer("place_id").primaryKey(),
  /** `NamedPeople`, as JSON compressed by zstd. */
  content: blob({ mode: "buffer" }).notNull(),
});

/** Stored commits, compressed. */
export const segments = sqliteTable(
  "segment",
  {
    placeId: integer("place_id").notNull(),
    sequence: integer().notNull(),
    commits: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.placeId, table.sequence] })],
);

/** What notes say of commits, also of commits that the history does not have: see `note-rows.ts`. */
export const notes = sqliteTable(
  "note",
  {
    placeId: integer("place_id").notNull(),
    /** Of the commit. */
    fingerprint: integer().notNull(),
    /** `StoredNote.content`. */
    content: text().notNull(),
    verdict: text().notNull(),
    /** Lines by agent, as JSON. */
    lines: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.placeId, table.fingerprint] })],
);

/** Whom the history of a place names, as author or in a trailer. */
export const mentions = sqliteTable(
  "mention",
  {
    placeId: integer("place_id").notNull(),
    spellingId: integer("spelling_id").notNull(),
    /** Its number among the authors of the repository; that of an erased one stays free. */
    number: integer().notNull(),
    /** Id of one of its commits. */
    sample: text(),
    /** Hashes of the names that the mailmap replaces by it, with their addresses. */
    replaced: text(),
  },
  (table) => [
    primaryKey({ columns: [table.placeId, table.spellingId] }),
    index("mention_spelling").on(table.spellingId),
  ],
);

/** A table of one row. */
export const ledgerState = sqliteTable("ledger_state", {
  id: integer().primaryKey(),
  /** The run whose result the pool shows, as JSON; null when there is none. */
  applied: text({ mode: "json" }).$type<unknown>(),
});
