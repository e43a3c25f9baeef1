/** The tables of what accounts keep: lists and searches. Their names, notes and logins are removed with the account. */
import {
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { accounts } from "../tables.ts";

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
export const lists = sqliteTable(
  "people_list",
  { ...ownedColumns, changedMs: integer("changed_ms").notNull() },
  (table) => [uniqueIndex("people_list_name").on(table.accountId, table.nameKey)],
);

/** @package */
export const listEntries = sqliteTable(
  "list_entry",
  {
    listId: text("list_id")
      .notNull()
      .references(() => lists.id, { onDelete: "cascade" }),
    /** The login in lower case. */
    loginKey: text("login_key").notNull(),
    login: text().notNull(),
    note: text().notNull(),
    addedMs: integer("added_ms").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.listId, table.loginKey] }),
    index("list_entry_login").on(table.loginKey),
  ],
);

/** @package */
export const searches = sqliteTable(
  "saved_search",
  {
    ...ownedColumns,
    query: text().notNull(),
    total: integer().notNull(),
    seenMs: integer("seen_ms").notNull(),
    ranMs: integer("ran_ms").notNull(),
  },
  (table) => [uniqueIndex("saved_search_name").on(table.accountId, table.nameKey)],
);

/** @package Who was found when the account last looked, and who was found last: a score is null where not found. */
export const foundPeople = sqliteTable(
  "found_person",
  {
    searchId: text("search_id")
      .notNull()
      .references(() => searches.id, { onDelete: "cascade" }),
    loginKey: text("login_key").notNull(),
    login: text().notNull(),
    seenScore: real("seen_score"),
    score: real(),
  },
  (table) => [
    primaryKey({ columns: [table.searchId, table.loginKey] }),
    index("found_person_login").on(table.loginKey),
  ],
);
