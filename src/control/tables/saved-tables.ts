import type { TableKit } from "../../queries/table-kit.ts";
import type { AccountTable } from "./account-tables.ts";

/** @package The tables of the lists and saved searches of accounts. */
export function defineSavedTables(kit: TableKit, accounts: AccountTable) {
  return { ...defineListTables(kit, accounts), ...defineSearchTables(kit, accounts) };
}

function defineOwnedColumns({ text }: TableKit, accounts: AccountTable) {
  return {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text().notNull(),
    /** The name in lower case. No two names of an account may differ only in case. */
    nameKey: text("name_key").notNull(),
  };
}

function defineListTables(kit: TableKit, accounts: AccountTable) {
  const { table, text, whole, index, uniqueIndex, primaryKey } = kit;
  const lists = table(
    "people_list",
    { ...defineOwnedColumns(kit, accounts), changedMs: whole("changed_ms").notNull() },
    (table) => [uniqueIndex("people_list_name").on(table.accountId, table.nameKey)],
  );
  const listEntries = table(
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
  return { lists, listEntries };
}

function defineSearchTables(kit: TableKit, accounts: AccountTable) {
  const { table, text, whole, real, index, uniqueIndex, primaryKey } = kit;
  const searches = table(
    "saved_search",
    {
      ...defineOwnedColumns(kit, accounts),
      query: text().notNull(),
      total: whole().notNull(),
      seenMs: whole("seen_ms").notNull(),
      ranMs: whole("ran_ms").notNull(),
      /** Time when the account looked at the latest results. Null means that it has not looked. */
      lookedMs: whole("looked_ms"),
      /** The revision of the pool for which the search last ran, or is running now. */
      revision: whole(),
      /** The version of the model that computed the latest scores. Null means that it is unknown. */
      model: text(),
      /** A digest of the address that new people are mailed to. Empty until it is confirmed, and null if no mail is wanted. */
      mailTo: text("mail_to"),
      /** The time from which the next mail may be sent. Null means at once. */
      mailMs: whole("mail_ms"),
    },
    (table) => [uniqueIndex("saved_search_name").on(table.accountId, table.nameKey)],
  );
  /** The people who were found in the latest run or when the account last looked. */
  const foundPeople = table(
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
  return { searches, foundPeople };
}
