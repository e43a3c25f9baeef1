/**
 * The table of ingest.db that drizzle writes. A change needs a migration, written by hand. The ledger reads and writes the
 * other tables in SQL.
 */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Unread } from "../../../contract/people/history-end.ts";

export { fileState } from "../../../sqlite/file-state.ts";

/** @package One location where a repository was read. */
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
    /** Fingerprint of its mailmap; a change may give old commits other authors. */
    mailmap: text().notNull(),
    /** The commit of its notes that was read; empty where it had none, null until its notes are read. */
    notes: text(),
    /** The version of Roster and of its stored form that read it; another edition may read differently. */
    edition: text().notNull(),
    /** ISO 8601, UTC. */
    readAt: text("read_at").notNull(),
    commits: integer().notNull(),
    /** Commits without parents, sorted. */
    roots: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    /** Latest author date in seconds. */
    latest: integer().notNull(),
    /** Why the last runs could not read it, and since when; null when the last one read it. */
    leftOut: text("left_out", { mode: "json" }).$type<Unread>(),
    /** How many of its segments the index of commits has. */
    indexed: integer().notNull().default(0),
    /** How often what it is counted from has changed; triggers count it. */
    changes: integer().notNull().default(0),
    /** The repository that it was counted in: the least id of its clones; null before that. */
    repositoryId: integer("repository_id"),
  },
  (table) => [
    index("place_directory").on(table.directory),
    index("place_repository").on(table.repositoryId),
  ],
);
