/** The tables of what accounts keep: lists and searches. Their names, notes and logins are removed with the account. */
import { doublePrecision, index, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { text, whole } from "../../postgres/column-types.ts";
import { accounts, controlSchema } from "./tables.ts";

const ownedColumns = {
  id: text().primaryKey(),
  accountId: text("account_id")
    .notNull()
    .references(() => accounts.id, { onDelete: "cascade" }),
  name: text().notNull(),
  /** In lower case: two that differ in nothing else would be taken for one. */
  nameKey: text("name_key").notNull(),
};

/** @package */
export const lists = controlSchema.table(
  "people_list",
  { ...ownedColumns, changedMs: whole("changed_ms").notNull() },
  (table) => [uniqueIndex("people_list_name").on(table.accountId, table.nameKey)],
);

/** @package */
export const listEntries = controlSchema.table(
  "list_entry",
  {
    listId: text("list_id")
      .notNull()
      .references(() => lists.id, { onDelete: "cascade" }),
    /** The login in lower case. */
    loginKey: text("login_key").notNull(),
    login: text().notNull(),
    note: text().notNull(),
    addedMs: whole("added_ms").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.listId, table.loginKey] }),
    index("list_entry_login").on(table.loginKey),
  ],
);

/** @package */
export const searches = controlSchema.table(
  "saved_search",
  {
    ...ownedColumns,
    query: text().notNull(),
    total: whole().notNull(),
    seenMs: whole("seen_ms").notNull(),
    ranMs: whole("ran_ms").notNull(),
  },
  (table) => [uniqueIndex("saved_search_name").on(table.accountId, table.nameKey)],
);

/** @package Who was found when the account last looked, and who was found last: a score is null where not found. */
export const foundPeople = controlSchema.table(
  "found_person",
  {
    searchId: text("search_id")
      .notNull()
      .references(() => searches.id, { onDelete: "cascade" }),
    loginKey: text("login_key").notNull(),
    login: text().notNull(),
    seenScore: doublePrecision("seen_score"),
    score: doublePrecision(),
  },
  (table) => [
    primaryKey({ columns: [table.searchId, table.loginKey] }),
    index("found_person_login").on(table.loginKey),
  ],
);
