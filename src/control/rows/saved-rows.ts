import { asc, count, inArray } from "drizzle-orm";
import { fetchRow, fetchRows, type Work } from "../../queries/work.ts";
import type { ListEntry } from "../saved-records.ts";
import { createEntryRows, createListRows, toListEntry } from "./list-rows.ts";
import type { RowsContext } from "./rows-context.ts";
import { createSearchMailRows } from "./search-mail-rows.ts";
import { createPendingRows, createSearchRows } from "./search-rows.ts";

/** Stores the lists and saved searches of accounts, and the people in them. */
export function createSavedRows(context: RowsContext) {
  return {
    ...createListRows(context),
    ...createEntryRows(context),
    ...createSearchRows(context),
    ...createPendingRows(context),
    ...createSearchMailRows(context),
    ...createPeopleRows(context),
  };
}

function createPeopleRows({ tables, read, transact }: RowsContext) {
  const { listEntries, foundPeople } = tables;
  const both = [listEntries, foundPeople];
  return {
    /** Returns every login in the lists and saved searches of all accounts, each once. */
    storedLogins: (): Promise<readonly string[]> =>
      read(function* (queries) {
        const logins = new Set<string>();
        for (const table of both) {
          const rows = yield* fetchRows(queries.selectDistinct({ login: table.login }).from(table));
          for (const { login } of rows) logins.add(login);
        }
        return [...logins].sort();
      }),
    /** Returns the list entries of these people. People may request a copy of them. */
    notesAbout: (logins: readonly string[]): Promise<readonly ListEntry[]> =>
      read(function* (queries) {
        const rows = yield* fetchRows(
          queries
            .select()
            .from(listEntries)
            .where(inArray(listEntries.loginKey, toKeys(logins)))
            .orderBy(asc(listEntries.addedMs)),
        );
        return rows.map(toListEntry);
      }),
    /** Returns the number of entries that these people have in lists and saved searches. */
    countEntries: (logins: readonly string[]): Promise<number> =>
      read((queries) =>
        sumParts(logins, both, function* (table, keys) {
          const isMeant = inArray(table.loginKey, keys);
          const counted = queries.select({ entries: count() }).from(table).where(isMeant);
          return (yield* fetchRow(counted))?.entries ?? 0;
        }),
      ),
    /** Removes people from every list and search. @returns the number of removed entries. */
    erase: (logins: readonly string[]): Promise<number> =>
      transact((queries) =>
        sumParts(logins, both, function* (table, keys) {
          const isMeant = inArray(table.loginKey, keys);
          const key = { key: table.loginKey };
          return (yield* fetchRows(queries.delete(table).where(isMeant).returning(key))).length;
        }),
      ),
  };
}

const toKeys = (logins: readonly string[]) => [...new Set(logins.map((one) => one.toLowerCase()))];

/** The greatest number of logins in one statement. Databases limit the number of parameters. */
const loginsAtOnce = 500;

function* sumParts<Table>(
  logins: readonly string[],
  tables: readonly Table[],
  work: (table: Table, keys: string[]) => Work<number>,
): Work<number> {
  const keys = toKeys(logins);
  let sum = 0;
  for (let from = 0; from < keys.length; from += loginsAtOnce) {
    const some = keys.slice(from, from + loginsAtOnce);
    for (const table of tables) sum += yield* work(table, some);
  }
  return sum;
}
