import { asc, inArray } from "drizzle-orm";
import type { SavedRecords } from "../saved-records.ts";
import type { ControlContext } from "./context.ts";
import { createListRows, toListEntry } from "./list-rows.ts";
import { foundPeople, listEntries } from "./saved-tables.ts";
import { createSearchRows } from "./search-rows.ts";

/** What accounts keep, as a part of the port. */
export function createSavedRecords(context: ControlContext): SavedRecords {
  return { ...createListRows(context), ...createSearchRows(context), ...createErasable(context) };
}

const tables = [listEntries, foundPeople] as const;

type Erasable = Pick<SavedRecords, "keptLogins" | "notesAbout" | "countEntries" | "erase">;

function createErasable({ read, transact }: ControlContext): Erasable {
  return {
    keptLogins: () =>
      read(async (statements) => {
        const logins = new Set<string>();
        for (const table of tables) {
          const rows = await statements.selectDistinct({ login: table.login }).from(table);
          for (const { login } of rows) logins.add(login);
        }
        return [...logins].sort();
      }),
    notesAbout: (logins) =>
      read(async (statements) => {
        const keys = toKeys(logins);
        if (keys.length === 0) return [];
        const rows = await statements
          .select()
          .from(listEntries)
          .where(inArray(listEntries.loginKey, keys))
          .orderBy(asc(listEntries.addedMs));
        return rows.map(toListEntry);
      }),
    countEntries: (logins) =>
      read((statements) =>
        sumParts(logins, async (keys) => {
          let sum = 0;
          for (const table of tables) {
            sum += await statements.$count(table, inArray(table.loginKey, [...keys]));
          }
          return sum;
        }),
      ),
    // The rows' bytes stay in the server's files until it vacuums them, and in its log and archives: see docs/growth.md.
    erase: (logins) =>
      transact((statements) =>
        sumParts(logins, async (keys) => {
          let sum = 0;
          for (const table of tables) {
            const isMeant = inArray(table.loginKey, [...keys]);
            const gone = await statements
              .delete(table)
              .where(isMeant)
              .returning({ key: table.loginKey });
            sum += gone.length;
          }
          return sum;
        }),
      ),
  };
}

const toKeys = (logins: readonly string[]) => [...new Set(logins.map((one) => one.toLowerCase()))];

/** Logins in one statement: PostgreSQL takes 65,535 parameters. */
const loginsAtOnce = 10_000;

async function sumParts(
  logins: readonly string[],
  count: (keys: readonly string[]) => Promise<number>,
): Promise<number> {
  const keys = toKeys(logins);
  let sum = 0;
  for (let from = 0; from < keys.length; from += loginsAtOnce) {
    sum += await count(keys.slice(from, from + loginsAtOnce));
  }
  return sum;
}
