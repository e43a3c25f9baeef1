/**
 * The tables of accounts and quota in PostgreSQL, in a schema of their own: the same rows as those of control.db.
 * A change needs a migration, which is written by hand; `test/postgres/migrations.slow.test.ts` compares both. Functions, triggers and
 * fill factors stand in the migrations only.
 * Instants are milliseconds since 1970.
 */
import { sql } from "drizzle-orm";
import { bigint, boolean, index, pgSchema, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, text, whole } from "../../postgres/column-types.ts";

/** @package */
export const controlSchema = pgSchema("control");

/** @package One row: the name of this file, and the latest instant it has seen, to the minute. */
export const instance = controlSchema.table("instance", {
  id: whole().primaryKey(),
  name: text().notNull(),
  latestMs: whole("latest_ms").notNull(),
  probes: whole().notNull().default(0),
  /** Calls ever counted here, of all accounts. */
  charges: whole().notNull().default(0),
  /** When the latest backup was complete. */
  backedUpMs: whole("backed_up_ms"),
  /**
   * Signs cookies and the queries between sign-in pages. Stored here, not in a file of its own: it must be backed up
   * and lost together with the sessions it signs, and a reader of this file has the digests it guards anyway.
   */
  signInSecret: text("sign_in_secret"),
});

/** @package */
export const accounts = controlSchema.table("account", {
  id: text().primaryKey(),
  email: text().notNull(),
  /** The e-mail in lower case, for comparison. */
  emailKey: text("email_key").notNull().unique(),
  plan: text().notNull(),
  /** Null: the plan's limit; -1: unlimited. */
  callsPerMonth: whole("calls_per_month"),
  callsPerDay: whole("calls_per_day"),
  administrator: boolean().notNull(),
  disabled: boolean().notNull().default(false),
  createdMs: whole("created_ms").notNull(),
});

/** @package Revoked keys stay, so that none can ever be used again. */
export const keys = controlSchema.table(
  "api_key",
  {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    /** SHA-256 of the key, 32 bytes; the key itself is not stored. */
    digest: bytes().notNull().unique(),
    hint: text().notNull(),
    createdMs: whole("created_ms").notNull(),
    /** To the minute. */
    lastUsedMs: whole("last_used_ms"),
    revokedMs: whole("revoked_ms"),
  },
  (table) => [
    index("api_key_account").on(table.accountId),
    /** One active key per account (decision 26), whatever the code does. */
    uniqueIndex("api_key_active").on(table.accountId).where(sql`revoked_ms IS NULL`),
  ],
);

/** @package Calls counted, by UTC month (`2026-11`) and UTC day (`2026-11-21`). */
export const usage = controlSchema.table(
  "usage",
  {
    window: text().notNull(),
    accountId: text("account_id").notNull(),
    used: whole().notNull(),
  },
  // Window first: today's rows are adjacent, so a batch dirties few pages and pruning is one range.
  (table) => [primaryKey({ columns: [table.window, table.accountId] })],
);

/** @package Append-only by trigger; each row's hash covers the row and the hash before it. */
export const audit = controlSchema.table("audit", {
  sequence: whole().primaryKey(),
  atMs: whole("at_ms").notNull(),
  actor: text().notNull(),
  action: text().notNull(),
  subject: text().notNull(),
  detail: text().notNull(),
  hash: text().notNull(),
});

/** @package What the other files of the folder were when they were last seen: see `folder-rows.ts`. */
export const dataFiles = controlSchema.table("data_file", {
  file: text().primaryKey(),
  name: text().notNull(),
  changes: whole().notNull(),
});

/** @package The pool's receipts of erasures, again. */
export const keptErasures = controlSchema.table("erasure", {
  receiptId: text("receipt_id").primaryKey(),
  at: text().notNull(),
  reason: text(),
  developers: whole().notNull(),
  rows: whole().notNull(),
  identifiers: whole().notNull(),
  completedAt: text("completed_at"),
  undoneAt: text("undone_at"),
});

/** @package The pool's suppression list, again. */
export const keptHashes = controlSchema.table(
  "suppressed",
  {
    hash: bytes().notNull(),
    receiptId: text("receipt_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.hash, table.receiptId] }),
    index("suppressed_receipt").on(table.receiptId),
  ],
);

/** @package */
export const keptSalts = controlSchema.table("suppression_salt", {
  id: bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
  salt: bytes().notNull().unique("suppression_salt_once"),
});

/** @package What files of the folder have lost, until an administrator accepts it. */
export const losses = controlSchema.table("loss", {
  id: bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
  atMs: whole("at_ms").notNull(),
  what: text().notNull(),
  acceptedMs: whole("accepted_ms"),
});
