import { asc, count, inArray } from "drizzle-orm";
import { fetchRow, fetchRows, type Work } from "../../queries/work.ts";
import type { SavedRecords } from "../saved-records.ts";
import { createEntryRows, createListRows, toListEntry } from "./list-rows.ts";
import type { RowsContext } from "./rows-context.ts";
import { createDueRows, createSearchRows } from "./search-rows.ts";

/** Lists and searches of accounts, and the people in them. */
export function createSavedRows(context: RowsContext): SavedRecords {
  return {
    ...createListRows(context),
    ...createEntryRows(context),
    ...createSearchRows(context),
    ...createDueRows(context),
    ...createPeopleRows(context),
  };
}

function createPeopleRows({ tables, read, transact }: RowsContext) {
  const { listEntries, foundPeople } = tables;
  const both = [listEntries, foundPeople];
  return {
    keptLogins: () =>
      read(function* (queries) {
        const logins = new Set<string>();
        for (const table of both) {
          const rows = yield* fetchRows(queries.selectDistinct({ login: table.login }).from(table));
          for (const { login } of rows) logins.add(login);
        }
        return [...logins].sort();
      }),
    notesAbout: (logins) =>
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
    countEntries: (logins) =>
      read((queries) =>
        sumParts(logins, both, function* (table, keys) {
          const isMeant = inArray(table.loginKey, keys);
          const counted = queries.select({ entries: count() }).from(table).where(isMeant);
          return (yield* fetchRow(counted))?.entries ?? 0;
        }),
      ),
    erase: (logins) =>
      transact((queries) =>
        sumParts(logins, both, function* (table, keys) {
          const isMeant = inArray(table.loginKey, keys);
          const key = { key: table.loginKey };
          return (yield* fetchRows(queries.delete(table).where(isMeant).returning(key))).length;
        }),
      ),
  } satisfies Partial<SavedRecords>;
}

const toKeys = (logins: readonly string[]) => [...new Set(logins.map((one) => one.toLowerCase()))];

/** Logins in one statement: a database takes only so many parameters. */
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
