/** The table of ingest.db that drizzle writes. A change needs a migration, written by hand. */
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
    /** The path as the caller gave it. */
    path: text().notNull(),
    name: text().notNull(),
    forge: text(),
    owner: text(),
    /** The commit that was HEAD when the history was read. */
    head: text().notNull(),
    /** Fingerprint of the mailmap with which the history was read. */
    mailmap: text().notNull(),
    /** The commit of the git notes that was last read; empty if there are no notes, null until notes are read. */
    notes: text(),
    /** The version of Roster and of the stored form with which the history was read. */
    edition: text().notNull(),
    /** ISO 8601, UTC. */
    readAt: text("read_at").notNull(),
    commits: integer().notNull(),
    /** Ids of the commits without parents, sorted. */
    roots: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    /** Latest author date in seconds. */
    latest: integer().notNull(),
    /** Why the last runs could not read the location, and since when; null when the last run read it. */
    leftOut: text("left_out", { mode: "json" }).$type<Unread>(),
    /** How many of the location's segments are in the commit index. */
    indexed: integer().notNull().default(0),
    /** Number of changes to the location that call for a new count. Triggers increase it. */
    changes: integer().notNull().default(0),
    /** The lowest id among the clones of the repository; null before the repository is counted. */
    repositoryId: integer("repository_id"),
  },
  (table) => [
    index("place_directory").on(table.directory),
    index("place_repository").on(table.repositoryId),
  ],
);
