import { asc, inArray } from "drizzle-orm";
import { emptyLog } from "../../../sqlite/empty-log.ts";
import { type Immediate, toPromises } from "../../../sqlite/to-promises.ts";
import type { SavedRecords } from "../../saved-records.ts";
import type { SignInStoreContext } from "../sign-in/sign-in-store-context.ts";
import { createListRows, toListEntry } from "./list-rows.ts";
import { foundPeople, listEntries } from "./saved-tables.ts";
import { createSearchRows } from "./search-rows.ts";

/** What accounts keep, as a part of the port. */
export function createSavedRecords(context: SignInStoreContext): SavedRecords {
  return toPromises<SavedRecords>(context.store.path, {
    ...createListRows(context),
    ...createSearchRows(context),
    ...createErasable(context),
  });
}

type Erasable = Pick<
  Immediate<SavedRecords>,
  "keptLogins" | "notesAbout" | "countEntries" | "erase"
>;

const tables = [listEntries, foundPeople] as const;

/** Logins in one statement: SQLite takes only so many parameters. */
const loginsAtOnce = 500;

function createErasable({
  store: { orm, sqlite },
  guarded,
  transact,
}: SignInStoreContext): Erasable {
  return {
    keptLogins: () =>
      guarded(() => {
        const rows = tables.flatMap((table) =>
          orm.selectDistinct({ login: table.login }).from(table).all(),
        );
        return [...new Set(rows.map(({ login }) => login))].sort();
      }),
    notesAbout: (logins) =>
      guarded(() =>
        orm
          .select()
          .from(listEntries)
          .where(inArray(listEntries.loginKey, toKeys(logins)))
          .orderBy(asc(listEntries.addedMs))
          .all()
          .map(toListEntry),
      ),
    countEntries: (logins) =>
      guarded(() =>
        inParts(logins, (some) =>
          tables.reduce(
            (sum, table) =>
              sum +
              orm
                .select({ key: table.loginKey })
                .from(table)
                .where(inArray(table.loginKey, some))
                .all().length,
            0,
          ),
        ),
      ),
    erase(logins) {
      const gone = transact(() =>
        inParts(logins, (some) =>
          tables.reduce(
            (sum, table) =>
              sum +
              orm
                .delete(table)
                .where(inArray(table.loginKey, some))
                .returning({ key: table.loginKey })
                .all().length,
            0,
          ),
        ),
      );
      // SQLite overwrites what it deletes; the log still has the pages as they were.
      if (gone > 0) guarded(() => emptyLog(sqlite, logWaitMilliseconds));
      return gone;
    },
  };
}

/** Readers of control.db are short; whoever writes waits longer than this. */
const logWaitMilliseconds = 2000;

const toKeys = (logins: readonly string[]) => [...new Set(logins.map((one) => one.toLowerCase()))];

function inParts(logins: readonly string[], count: (keys: readonly string[]) => number): number {
  const keys = toKeys(logins);
  let sum = 0;
  for (let from = 0; from < keys.length; from += loginsAtOnce) {
    sum += count(keys.slice(from, from + loginsAtOnce));
  }
  return sum;
}
