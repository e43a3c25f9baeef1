import { and, asc, count, desc, eq } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries } from "../../queries/work.ts";
import {
  type ListEntry,
  type ListSummary,
  type SavedRecords,
  savedLimits,
} from "../saved-records.ts";
import type { ControlRow, ControlTables } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

type Lists = Pick<SavedRecords, "lists" | "findList" | "addList" | "removeList">;

/** @package */
export function createListRows({ tables, read, transact }: RowsContext): Lists {
  const { lists, listEntries } = tables;
  const selectSummaries = (queries: Queries) =>
    queries
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
      read(function* (queries) {
        const isOwn = eq(lists.accountId, accountId);
        return (yield* fetchRows(selectSummaries(queries).where(isOwn))).map(toSummary);
      }),
    findList: (accountId, id) =>
      read(function* (queries) {
        const row = yield* fetchRow(selectSummaries(queries).where(isList(lists, accountId, id)));
        if (!row) return undefined;
        const entries = yield* fetchRows(
          queries
            .select()
            .from(listEntries)
            .where(eq(listEntries.listId, id))
            .orderBy(desc(listEntries.addedMs), asc(listEntries.loginKey)),
        );
        return { ...toSummary(row), entries: entries.map(toListEntry) };
      }),
    addList: (accountId, { id, name }, by) =>
      transact(function* (queries, log) {
        const isOwn = eq(lists.accountId, accountId);
        const names = queries.select({ nameKey: lists.nameKey }).from(lists).where(isOwn);
        const known = yield* fetchRows(names);
        const nameKey = name.toLowerCase();
        if (known.some((one) => one.nameKey === nameKey)) return "name taken";
        if (known.length >= savedLimits.listsMax) return "too many";
        const row = { id, accountId, name, nameKey, changedMs: by.at.getTime() };
        yield* execute(queries.insert(lists).values(row));
        yield* log(by);
        return undefined;
      }),
    removeList: (accountId, id, by) =>
      transact(function* (queries, log) {
        const isMeant = isList(lists, accountId, id);
        const gone = yield* fetchRows(queries.delete(lists).where(isMeant).returning());
        if (gone.length > 0) yield* log(by);
        return gone.length > 0;
      }),
  };
}

/** @package The people on lists. */
export function createEntryRows({
  tables,
  transact,
}: RowsContext): Pick<SavedRecords, "putEntry" | "removeEntry"> {
  const { lists, listEntries } = tables;
  const fetchList = (queries: Queries, accountId: string, id: string) =>
    fetchRow(
      queries
        .select({ id: lists.id })
        .from(lists)
        .where(isList(lists, accountId, id)),
    );
  const touch = (queries: Queries, id: string, at: Date) =>
    execute(queries.update(lists).set({ changedMs: at.getTime() }).where(eq(lists.id, id)));
  const isEntry = (listId: string, login: string) =>
    and(eq(listEntries.listId, listId), eq(listEntries.loginKey, login.toLowerCase()));
  return {
    putEntry: (accountId, listId, { login, note, at }) =>
      transact(function* (queries) {
        if (!(yield* fetchList(queries, accountId, listId))) return "unknown";
        const known = queries.select().from(listEntries).where(isEntry(listId, login));
        const isOnList = eq(listEntries.listId, listId);
        const size = queries.select({ people: count() }).from(listEntries).where(isOnList);
        const isFull = ((yield* fetchRow(size))?.people ?? 0) >= savedLimits.entriesMax;
        if (isFull && !(yield* fetchRow(known))) return "too many";
        const row = { listId, loginKey: login.toLowerCase(), login, note, addedMs: at.getTime() };
        const target = [listEntries.listId, listEntries.loginKey];
        const conflict = { target, set: { login, note } };
        yield* execute(queries.insert(listEntries).values(row).onConflictDoUpdate(conflict));
        yield* touch(queries, listId, at);
        return undefined;
      }),
    removeEntry: (accountId, listId, login, at) =>
      transact(function* (queries) {
        if (!(yield* fetchList(queries, accountId, listId))) return false;
        const isMeant = isEntry(listId, login);
        const gone = yield* fetchRows(queries.delete(listEntries).where(isMeant).returning());
        if (gone.length > 0) yield* touch(queries, listId, at);
        return gone.length > 0;
      }),
  };
}

const isList = (lists: ControlTables["lists"], accountId: string, id: string) =>
  and(eq(lists.accountId, accountId), eq(lists.id, id));

function toSummary({
  changedMs,
  ...row
}: Omit<ListSummary, "changedAt"> & { readonly changedMs: number }): ListSummary {
  return { ...row, changedAt: new Date(changedMs).toISOString() };
}

/** @package */
export function toListEntry({ login, note, addedMs }: ControlRow<"listEntries">): ListEntry {
  return { login, note, addedAt: new Date(addedMs).toISOString() };
}
