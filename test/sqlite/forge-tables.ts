/**
 * What the columns hold of the tables of forges.db, which `src/ingest/forges/` reads in SQL. A new file must have them.
 */
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

export { fileState } from "../../src/sqlite/file-state.ts";

export const sources = sqliteTable("source", {
  id: text().primaryKey(),
  kind: text().notNull(),
  url: text().notNull(),
  forge: text().notNull(),
  selections: text({ mode: "json" }).notNull(),
  noreplyHost: text("noreply_host"),
  /** Number of the last walk. */
  walk: integer().notNull(),
  completedAt: text("completed_at"),
  pausedUntil: text("paused_until"),
  lastRun: text("last_run", { mode: "json" }),
});

/** The lists of a walk that has not come to its end: no person is named in them. */
export const steps = sqliteTable(
  "step",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    source: text().notNull(),
    name: text().notNull(),
    ask: text().notNull(),
    cursor: text(),
    isDone: integer("is_done", { mode: "boolean" }).notNull(),
  },
  (table) => [
    uniqueIndex("step_ask").on(table.source, table.ask),
    index("step_open").on(table.source, table.isDone, table.id),
  ],
);

export const forgeAccounts = sqliteTable(
  "account",
  {
    source: text().notNull(),
    number: text().notNull(),
    login: text().notNull(),
    isBot: integer("is_bot", { mode: "boolean" }).notNull(),
    profile: text({ mode: "json" }).notNull(),
    formerLogins: text("former_logins", { mode: "json" }).notNull(),
    /** The last walk that saw it in a list. */
    seen: integer().notNull(),
    /** How many complete walks have not since. */
    missed: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.number] })],
);

export const addresses = sqliteTable(
  "address",
  {
    source: text().notNull(),
    number: text().notNull(),
    address: text().notNull(),
    isPublished: integer("is_published", { mode: "boolean" }).notNull(),
    seen: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.number, table.address] })],
);

export const repositories = sqliteTable(
  "repository",
  {
    source: text().notNull(),
    number: text().notNull(),
    facts: text({ mode: "json" }).notNull(),
    seen: integer().notNull(),
    /** How far its reviews were read; absent before they were. */
    reviewed: text({ mode: "json" }),
  },
  (table) => [primaryKey({ columns: [table.source, table.number] })],
);

export const reviews = sqliteTable(
  "review",
  {
    source: text().notNull(),
    repository: text().notNull(),
    /** Number of the change in the repository. */
    change: text().notNull(),
    /** Of the reviewer's account. */
    number: text().notNull(),
    verdict: text().notNull(),
    day: text().notNull(),
    content: text({ mode: "json" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.repository, table.change, table.number] }),
  ],
);

/** The account of an address of commits, as a sample commit showed; without a number it belongs to no account. */
export const spellings = sqliteTable(
  "spelling",
  {
    source: text().notNull(),
    address: text().notNull(),
    number: text(),
    login: text(),
    /** ISO 8601, UTC. */
    askedAt: text("asked_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.address] })],
);
