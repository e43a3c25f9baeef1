/**
 * The tables of control.db. A change needs a migration, which is written by hand; `test/sqlite/migrations.test.ts` compares both.
 * STRICT, WITHOUT ROWID and triggers stand in the migrations only.
 * Instants are milliseconds since 1970.
 */
import { sql } from "drizzle-orm";
import {
  blob,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** @package One row: the name of this file, and the latest instant it has seen, to the minute. */
export const instance = sqliteTable("instance", {
  id: integer().primaryKey(),
  name: text().notNull(),
  latestMs: integer("latest_ms").notNull(),
  probes: integer().notNull().default(0),
  /** Calls ever counted here, of all accounts. */
  charges: integer().notNull().default(0),
  /** When the latest backup was complete. */
  backedUpMs: integer("backed_up_ms"),
  /**
   * Signs cookies and the queries between sign-in pages. Stored here, not in a file of its own: it must be backed up
   * and lost together with the sessions it signs, and a reader of this file has the digests it guards anyway.
   */
  signInSecret: text("sign_in_secret"),
});

/** @package */
export const accounts = sqliteTable("account", {
  id: text().primaryKey(),
  email: text().notNull(),
  /** The e-mail in lower case, for comparison. */
  emailKey: text("email_key").notNull().unique(),
  plan: text().notNull(),
  /** Null: the plan's limit; -1: unlimited. */
  callsPerMonth: integer("calls_per_month"),
  callsPerDay: integer("calls_per_day"),
  administrator: integer({ mode: "boolean" }).notNull(),
  disabled: integer({ mode: "boolean" }).notNull().default(false),
  createdMs: integer("created_ms").notNull(),
});

/** @package Revoked keys stay, so that none can ever be used again. */
export const keys = sqliteTable(
  "api_key",
  {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    /** SHA-256 of the key, 32 bytes; the key itself is not stored. */
    digest: blob({ mode: "buffer" }).notNull().unique(),
    hint: text().notNull(),
    createdMs: integer("created_ms").notNull(),
    /** To the minute. */
    lastUsedMs: integer("last_used_ms"),
    revokedMs: integer("revoked_ms"),
  },
  (table) => [
    index("api_key_account").on(table.accountId),
    /** One active key per account (decision 26), whatever the code does. */
    uniqueIndex("api_key_active").on(table.accountId).where(sql`revoked_ms IS NULL`),
  ],
);

/** @package Calls counted, by UTC month (`2026-11`) and UTC day (`2026-11-21`). */
export const usage = sqliteTable(
  "usage",
  {
    window: text().notNull(),
    accountId: text("account_id").notNull(),
    used: integer().notNull(),
  },
  // Window first: today's rows are adjacent, so a batch dirties few pages and pruning is one range.
  (table) => [primaryKey({ columns: [table.window, table.accountId] })],
);

/** @package Append-only by trigger; each row's hash covers the row and the hash before it. */
export const audit = sqliteTable("audit", {
  sequence: integer().primaryKey(),
  atMs: integer("at_ms").notNull(),
  actor: text().notNull(),
  action: text().notNull(),
  subject: text().notNull(),
  detail: text().notNull(),
  hash: text().notNull(),
});

/** @package What the other files of the folder were when they were last seen: see `folder-rows.ts`. */
export const dataFiles = sqliteTable("data_file", {
  file: text({ enum: ["pool", "ledger", "forges"] }).primaryKey(),
  name: text().notNull(),
  changes: integer().notNull(),
});

/** @package The pool's receipts of erasures, again. */
export const keptErasures = sqliteTable("erasure", {
  receiptId: text("receipt_id").primaryKey(),
  at: text().notNull(),
  reason: text(),
  developers: integer().notNull(),
  rows: integer().notNull(),
  identifiers: integer().notNull(),
  completedAt: text("completed_at"),
  undoneAt: text("undone_at"),
});

/** @package The pool's suppression list, again. */
export const keptHashes = sqliteTable(
  "suppressed",
  {
    hash: blob({ mode: "buffer" }).notNull(),
    receiptId: text("receipt_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.hash, table.receiptId] }),
    index("suppressed_receipt").on(table.receiptId),
  ],
);

/** @package */
export const keptSalts = sqliteTable("suppression_salt", {
  id: integer().primaryKey({ autoIncrement: true }),
  salt: blob({ mode: "buffer" }).notNull().unique("suppression_salt_once"),
});

/** @package What files of the folder have lost, until an administrator accepts it. */
export const losses = sqliteTable("loss", {
  id: integer().primaryKey({ autoIncrement: true }),
  atMs: integer("at_ms").notNull(),
  what: text().notNull(),
  acceptedMs: integer("accepted_ms"),
});
