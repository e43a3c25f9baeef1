import { sql } from "drizzle-orm";
import type { TableKit } from "../../queries/table-kit.ts";

/** @package Accounts, their keys and calls, and the audit log. */
export function defineAccountTables(kit: TableKit) {
  const accounts = defineAccounts(kit);
  return { accounts, keys: defineKeys(kit, accounts), ...defineUsageAndAudit(kit) };
}

/** @package */
export type AccountTable = ReturnType<typeof defineAccounts>;

function defineAccounts({ table, text, whole, flag }: TableKit) {
  return table("account", {
    id: text().primaryKey(),
    email: text().notNull(),
    /** The e-mail in lower case, for comparison. */
    emailKey: text("email_key").notNull().unique(),
    plan: text().notNull(),
    /** Null means that the plan's limit applies, and -1 means unlimited. */
    callsPerMonth: whole("calls_per_month"),
    callsPerDay: whole("calls_per_day"),
    administrator: flag().notNull(),
    disabled: flag().notNull().default(false),
    createdMs: whole("created_ms").notNull(),
  });
}

/** API keys. Revoked keys remain in the table, so that no account gets them again. */
function defineKeys(
  { table, text, whole, bytes, index, uniqueIndex }: TableKit,
  accounts: AccountTable,
) {
  return table(
    "api_key",
    {
      id: text().primaryKey(),
      accountId: text("account_id")
        .notNull()
        .references(() => accounts.id),
      /** The SHA-256 of the key, 32 bytes. The key itself is not stored. */
      digest: bytes().notNull().unique(),
      hint: text().notNull(),
      createdMs: whole("created_ms").notNull(),
      /** Time of the last use, accurate to the minute. */
      lastUsedMs: whole("last_used_ms"),
      revokedMs: whole("revoked_ms"),
    },
    (table) => [
      index("api_key_account").on(table.accountId),
      /** Allows only one active key per account (decision 26). */
      uniqueIndex("api_key_active").on(table.accountId).where(sql`revoked_ms IS NULL`),
    ],
  );
}

function defineUsageAndAudit({ table, text, whole, bytes, index, primaryKey }: TableKit) {
  return {
    /** The Idempotency-Keys of the counted calls of the last minutes. Keys and requests are SHA-256 digests. */
    callKeys: table(
      "call_key",
      {
        accountId: text("account_id").notNull(),
        key: bytes().notNull(),
        request: bytes().notNull(),
        atMs: whole("at_ms").notNull(),
      },
      (table) => [
        primaryKey({ columns: [table.accountId, table.key] }),
        index("call_key_at").on(table.atMs),
      ],
    ),
    /** The number of calls, by UTC month (`2026-11`) and UTC day (`2026-11-21`). */
    usage: table(
      "usage",
      {
        window: text().notNull(),
        accountId: text("account_id").notNull(),
        used: whole().notNull(),
      },
      // The key begins with the window, so that the rows of a day are adjacent.
      (table) => [primaryKey({ columns: [table.window, table.accountId] })],
    ),
    /** Triggers prevent changes of existing rows. Each row's hash covers the row and the previous hash. */
    audit: table("audit", {
      sequence: whole().primaryKey(),
      atMs: whole("at_ms").notNull(),
      actor: text().notNull(),
      action: text().notNull(),
      subject: text().notNull(),
      detail: text().notNull(),
      hash: text().notNull(),
    }),
  };
}
