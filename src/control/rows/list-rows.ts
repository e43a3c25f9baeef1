import { and, asc, count, desc, eq, inArray, type SQL } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import {
  type ListEntry,
  type ListedPerson,
  type ListSummary,
  type PeopleList,
  type SavedRefusal,
  savedLimits,
} from "../saved-records.ts";
import type { ControlRow, ControlTables } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package */
export function createListRows({ tables, read, transact }: RowsContext) {
  const { lists, listEntries } = tables;
  return {
    /** Returns the account's lists, sorted by name. */
    lists: (accountId: string): Promise<readonly ListSummary[]> =>
      read(function* (queries) {
        const isOwn = eq(lists.accountId, accountId);
        return (yield* fetchRows(selectLists(queries, tables, isOwn))).map(toListSummary);
      }),
    findList: (accountId: string, id: string): Promise<PeopleList | undefined> =>
      read(function* (queries) {
        const isMeant = isList(lists, accountId, id);
        const row = yield* fetchRow(selectLists(queries, tables, isMeant));
        if (!row) return undefined;
        const entries = yield* fetchRows(
          queries
            .select()
            .from(listEntries)
            .where(eq(listEntries.listId, id))
            .orderBy(desc(listEntries.addedMs), asc(listEntries.loginKey)),
        );
        return { ...toListSummary(row), entries: entries.map(toListEntry) };
      }),
    addList: (
      accountId: string,
      { id, name }: { readonly id: string; readonly name: string },
      by: NewAuditEntry,
    ): Promise<SavedRefusal | undefined> =>
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
    /** @returns whether the account had this list. */
    removeList: (accountId: string, id: string, by: NewAuditEntry): Promise<boolean> =>
      transact(function* (queries, log) {
        const isMeant = isList(lists, accountId, id);
        const gone = yield* fetchRows(queries.delete(lists).where(isMeant).returning());
        if (gone.length > 0) yield* log(by);
        return gone.length > 0;
      }),
  };
}

interface ChangedEntry {
  readonly login: string;
  readonly note: string;
  readonly at: Date;
}

/** @package Stores the people on lists. */
export function createEntryRows({ tables, read, transact }: RowsContext) {
  const { lists, listEntries } = tables;
  const fetchList = (queries: Queries, accountId: string, id: string) =>
    fetchRow(
      queries
        .select({ id: lists.id })
        .from(lists)
        .where(isList(lists, accountId, id)),
    );
  const noteChange = (queries: Queries, id: string, at: Date) =>
    execute(queries.update(lists).set({ changedMs: at.getTime() }).where(eq(lists.id, id)));
  const isEntry = (listId: string, login: string) =>
    and(eq(listEntries.listId, listId), eq(listEntries.loginKey, login.toLowerCase()));
  return {
    listed: (accountId: string, logins: readonly string[]): Promise<readonly ListedPerson[]> =>
      read(function* (queries) {
        const keys = logins.map((login) => login.toLowerCase());
        const person = { login: listEntries.login, listId: lists.id, listName: lists.name };
        return yield* fetchRows(
          queries
            .select(person)
            .from(listEntries)
            .innerJoin(lists, eq(lists.id, listEntries.listId))
            .where(and(eq(lists.accountId, accountId), inArray(listEntries.loginKey, keys)))
            .orderBy(asc(lists.nameKey)),
        );
      }),
    /** Adds a person to the list. If the person is already on the list, the note is replaced. */
    putEntry: (
      accountId: string,
      listId: string,
      { login, note, at }: ChangedEntry,
    ): Promise<SavedRefusal | undefined> =>
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
        yield* noteChange(queries, listId, at);
        return undefined;
      }),
    /** Changes the note of a person on the list. @returns whether the person is on the list. */
    changeNote: (
      accountId: string,
      listId: string,
      { login, note, at }: ChangedEntry,
    ): Promise<boolean> =>
      transact(function* (queries) {
        if (!(yield* fetchList(queries, accountId, listId))) return false;
        const change = queries.update(listEntries).set({ note }).where(isEntry(listId, login));
        const changed = yield* fetchRows(change.returning());
        if (changed.length > 0) yield* noteChange(queries, listId, at);
        return changed.length > 0;
      }),
    /** @returns whether the person was on the list. */
    removeEntry: (accountId: string, listId: string, login: string, at: Date): Promise<boolean> =>
      transact(function* (queries) {
        if (!(yield* fetchList(queries, accountId, listId))) return false;
        const isMeant = isEntry(listId, login);
        const gone = yield* fetchRows(queries.delete(listEntries).where(isMeant).returning());
        if (gone.length > 0) yield* noteChange(queries, listId, at);
        return gone.length > 0;
      }),
  };
}

const isList = (lists: ControlTables["lists"], accountId: string, id: string) =>
  and(eq(lists.accountId, accountId), eq(lists.id, id));

/** Selects lists with the number of people on each, sorted by name. */
export function selectLists(
  queries: Queries,
  { lists, listEntries }: ControlTables,
  isMeant: SQL | undefined,
) {
  return queries
    .select({
      id: lists.id,
      name: lists.name,
      changedMs: lists.changedMs,
      people: count(listEntries.login),
    })
    .from(lists)
    .leftJoin(listEntries, eq(listEntries.listId, lists.id))
    .where(isMeant)
    .groupBy(lists.id)
    .orderBy(asc(lists.nameKey));
}

export function toListSummary({
  changedMs,
  ...row
}: Omit<ListSummary, "changedAt"> & { readonly changedMs: number }): ListSummary {
  return { ...row, changedAt: new Date(changedMs).toISOString() };
}

/** @package */
export function toListEntry({ login, note, addedMs }: ControlRow<"listEntries">): ListEntry {
  return { login, note, addedAt: new Date(addedMs).toISOString() };
}
