import { and, asc, count, desc, eq } from "drizzle-orm";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import { type ListSummary, type SavedRecords, savedLimits } from "../../saved-records.ts";
import type { SignInStoreContext } from "../sign-in/sign-in-store-context.ts";
import { listEntries, lists } from "./saved-tables.ts";

type Lists = Pick<
  Immediate<SavedRecords>,
  "lists" | "findList" | "addList" | "removeList" | "putEntry" | "removeEntry"
>;

const ofAccount = (accountId: string, id: string) =>
  and(eq(lists.accountId, accountId), eq(lists.id, id));

/** @package */
export function createListRows(context: SignInStoreContext): Lists {
  const { guarded, transact } = context;
  const { orm } = context.store;
  const selectSummaries = () =>
    orm
      .select({
        id: lists.id,
        name: lists.name,
        changedMs: lists.changedMs,
        people: count(listEntries.login),
      })
      .from(lists)
      .leftJoin(listEntries, eq(listEntries.listId, lists.id))
      .groupBy(lists.id)
      .orderBy(asc(lists.nameKey));
  return {
    lists: (accountId) =>
      guarded(() => selectSummaries().where(eq(lists.accountId, accountId)).all().map(toSummary)),
    findList: (accountId, id) =>
      guarded(() => {
        const row = selectSummaries().where(ofAccount(accountId, id)).get();
        if (!row) return undefined;
        const entries = orm
          .select()
          .from(listEntries)
          .where(eq(listEntries.listId, id))
          .orderBy(desc(listEntries.addedMs), asc(listEntries.loginKey))
          .all();
        return { ...toSummary(row), entries: entries.map(toListEntry) };
      }),
    addList: (accountId, { id, name }, by) =>
      transact((log) => {
        const names = orm
          .select({ nameKey: lists.nameKey })
          .from(lists)
          .where(eq(lists.accountId, accountId))
          .all();
        const nameKey = name.toLowerCase();
        if (names.some((one) => one.nameKey === nameKey)) return "name taken";
        if (names.length >= savedLimits.listsMax) return "too many";
        orm
          .insert(lists)
          .values({ id, accountId, name, nameKey, changedMs: by.at.getTime() })
          .run();
        log(by);
        return undefined;
      }),
    removeList: (accountId, id, by) =>
      transact((log) => {
        const gone = orm.delete(lists).where(ofAccount(accountId, id)).returning().all();
        if (gone.length > 0) log(by);
        return gone.length > 0;
      }),
    ...createEntryRows(context),
  };
}

type Entries = Pick<Lists, "putEntry" | "removeEntry">;

function createEntryRows({ store: { orm }, transact }: SignInStoreContext): Entries {
  const has = (accountId: string, id: string) =>
    orm.select({ id: lists.id }).from(lists).where(ofAccount(accountId, id)).get() !== undefined;
  const touch = (id: string, at: Date) =>
    orm.update(lists).set({ changedMs: at.getTime() }).where(eq(lists.id, id)).run();
  const isEntry = (listId: string, login: string) =>
    and(eq(listEntries.listId, listId), eq(listEntries.loginKey, login.toLowerCase()));
  return {
    putEntry: (accountId, listId, { login, note, at }) =>
      transact(() => {
        if (!has(accountId, listId)) return "unknown";
        const known = orm.select().from(listEntries).where(isEntry(listId, login)).get();
        const size = () =>
          orm
            .select({ people: count() })
            .from(listEntries)
            .where(eq(listEntries.listId, listId))
            .get()?.people ?? 0;
        if (!known && size() >= savedLimits.entriesMax) return "too many";
        const row = { listId, loginKey: login.toLowerCase(), login, note, addedMs: at.getTime() };
        const target = [listEntries.listId, listEntries.loginKey];
        orm
          .insert(listEntries)
          .values(row)
          .onConflictDoUpdate({ target, set: { login, note } })
          .run();
        touch(listId, at);
        return undefined;
      }),
    removeEntry: (accountId, listId, login, at) =>
      transact(() => {
        if (!has(accountId, listId)) return false;
        const gone = orm.delete(listEntries).where(isEntry(listId, login)).returning().all();
        if (gone.length > 0) touch(listId, at);
        return gone.length > 0;
      }),
  };
}

function toSummary({
  changedMs,
  ...row
}: Omit<ListSummary, "changedAt"> & { readonly changedMs: number }): ListSummary {
  return { ...row, changedAt: new Date(changedMs).toISOString() };
}

/** @package */
export function toListEntry({ login, note, addedMs }: typeof listEntries.$inferSelect) {
  return { login, note, addedAt: new Date(addedMs).toISOString() };
}
