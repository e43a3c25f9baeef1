/**
 * The tables of forges.db. A change needs a migration, which is written by hand; `test/sqlite/migrations.test.ts` compares both.
 */
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { ForgeKind } from "../../contract/forge-kinds.ts";
import type {
  AccountFacts,
  ChangeContent,
  ForgeRepository,
  ForgeSelection,
  ReviewVerdict,
} from "./forge.ts";

export { fileState } from "../../sqlite/file-state.ts";

/** Figures of a run: a walk, or as much of one as was possible. */
export interface SourceRun {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly requests: number;
  /** What the forge says is left of its limit; undefined when it says nothing. */
  readonly remaining?: number | undefined;
  /** Accounts and repositories left out because they are not public. */
  readonly hidden: number;
  readonly suppressed: number;
  /** What stopped it, in words. */
  readonly fault?: string | undefined;
}

/** How far the reviews of a repository were read. Instants are ISO 8601, UTC. */
export interface ReviewPlace {
  /** Number of the walk that read them to their end. */
  readonly walk?: number | undefined;
  /** Changes that were updated up to then are known. */
  readonly until?: string | undefined;
  /** Of a reading that has not come to its end: where it goes on, how many changes it has read, and when the latest was updated. */
  readonly open?:
    | { readonly cursor: string; readonly changes: number; readonly latest: string }
    | undefined;
}

/** @package */
export const sources = sqliteTable("source", {
  id: text().primaryKey(),
  kind: text().$type<ForgeKind>().notNull(),
  url: text().notNull(),
  forge: text().notNull(),
  selections: text({ mode: "json" }).$type<readonly ForgeSelection[]>().notNull(),
  noreplyHost: text("noreply_host"),
  /** Number of the last walk. */
  walk: integer().notNull(),
  completedAt: text("completed_at"),
  pausedUntil: text("paused_until"),
  lastRun: text("last_run", { mode: "json" }).$type<SourceRun>(),
});

/** @package The lists of a walk that has not come to its end: no person is named in them. */
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

/** @package */
export const forgeAccounts = sqliteTable(
  "account",
  {
    source: text().notNull(),
    number: text().notNull(),
    login: text().notNull(),
    isBot: integer("is_bot", { mode: "boolean" }).notNull(),
    profile: text({ mode: "json" }).$type<AccountFacts["profile"]>().notNull(),
    formerLogins: text("former_logins", { mode: "json" }).$type<readonly string[]>().notNull(),
    /** The last walk that saw it in a list. */
    seen: integer().notNull(),
    /** How many complete walks have not since. */
    missed: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.number] })],
);

/** @package */
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

/** @package */
export const repositories = sqliteTable(
  "repository",
  {
    source: text().notNull(),
    number: text().notNull(),
    facts: text({ mode: "json" }).$type<ForgeRepository>().notNull(),
    seen: integer().notNull(),
    /** How far its reviews were read; absent before they were. */
    reviewed: text({ mode: "json" }).$type<ReviewPlace>(),
  },
  (table) => [primaryKey({ columns: [table.source, table.number] })],
);

/** @package */
export const reviews = sqliteTable(
  "review",
  {
    source: text().notNull(),
    repository: text().notNull(),
    /** Number of the change in the repository. */
    change: text().notNull(),
    /** Of the reviewer's account. */
    number: text().notNull(),
    verdict: text().$type<ReviewVerdict>().notNull(),
    day: text().notNull(),
    content: text({ mode: "json" }).$type<ChangeContent>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.repository, table.change, table.number] }),
  ],
);

/** @package The account of an address of commits, as a sample commit showed; without a number it belongs to no account. */
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
