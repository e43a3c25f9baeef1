import type { TableKit } from "../../queries/table-kit.ts";
import type { AccountTable } from "./account-tables.ts";

/** @package The lists and saved searches of accounts. Their names, notes and logins are removed with the account. */
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
    /** The name in lower case. Names that differ only in case would be confused, so they must be unique in this form. */
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
      /** When the account looked at the results of the latest run; null if it has not. */
      lookedMs: whole("looked_ms"),
      /** The pool revision for which the search last ran, or for which a node is running it now. */
      revision: whole(),
      /** The version of the model that scored the people of the latest run; null for a run of an earlier version. */
      model: text(),
    },
    (table) => [uniqueIndex("saved_search_name").on(table.accountId, table.nameKey)],
  );
  /** The people found in the latest run and when the account last looked. A score is null if the person was not found then. */
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
