import { and, asc, count, desc, eq } from "drizzle-orm";
import type { Statements } from "../../postgres/database.ts";
import { type ListSummary, type SavedRecords, savedLimits } from "../saved-records.ts";
import type { ControlContext } from "./context.ts";
import { listEntries, lists } from "./saved-tables.ts";

type Lists = Pick<
  SavedRecords,
  "lists" | "findList" | "addList" | "removeList" | "putEntry" | "removeEntry"
>;

const ofAccount = (accountId: string, id: string) =>
  and(eq(lists.accountId, accountId), eq(lists.id, id));

const selectSummaries = (statements: Statements) =>
  statements
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

/** @package */
export function createListRows({ read, transact }: ControlContext): Lists {
  return {
    lists: (accountId) =>
      read(async (statements) => {
        const rows = await selectSummaries(statements).where(eq(lists.accountId, accountId));
        return rows.map(toSummary);
      }),
    findList: (accountId, id) =>
      read(async (statements) => {
        const [row] = await selectSummaries(statements).where(ofAccount(accountId, id));
        if (!row) return undefined;
        const entries = await statements
          .select()
          .from(listEntries)
          .where(eq(listEntries.listId, id))
          .orderBy(desc(listEntries.addedMs), asc(listEntries.loginKey));
        return { ...toSummary(row), entries: entries.map(toListEntry) };
      }),
    addList: (accountId, { id, name }, by) =>
      transact(async (statements, log) => {
        const names = await statements
          .select({ nameKey: lists.nameKey })
          .from(lists)
          .where(eq(lists.accountId, accountId));
        const nameKey = name.toLowerCase();
        if (names.some((one) => one.nameKey === nameKey)) return "name taken";
        if (names.length >= savedLimits.listsMax) return "too many";
        const row = { id, accountId, name, nameKey, changedMs: by.at.getTime() };
        await statements.insert(lists).values(row);
        await log(by);
        return undefined;
      }),
    removeList: (accountId, id, by) =>
      transact(async (statements, log) => {
        const gone = await statements.delete(lists).where(ofAccount(accountId, id)).returning();
        if (gone.length > 0) await log(by);
        return gone.length > 0;
      }),
    ...createEntries(transact),
  };
}

async function hasList(statements: Statements, accountId: string, id: string): Promise<boolean> {
  const rows = await statements
    .select({ id: lists.id })
    .from(lists)
    .where(ofAccount(accountId, id));
  return rows.length > 0;
}

const touch = (statements: Statements, id: string, at: Date) =>
  statements.update(lists).set({ changedMs: at.getTime() }).where(eq(lists.id, id));

const isEntry = (listId: string, login: string) =>
  and(eq(listEntries.listId, listId), eq(listEntries.loginKey, login.toLowerCase()));

function createEntries(
  transact: ControlContext["transact"],
): Pick<Lists, "putEntry" | "removeEntry"> {
  return {
    putEntry: (accountId, listId, { login, note, at }) =>
      transact(async (statements) => {
        if (!(await hasList(statements, accountId, listId))) return "unknown";
        const known = await statements.select().from(listEntries).where(isEntry(listId, login));
        const [size] = await statements
          .select({ people: count() })
          .from(listEntries)
          .where(eq(listEntries.listId, listId));
        const isFull = (size?.people ?? 0) >= savedLimits.entriesMax;
        if (known.length === 0 && isFull) return "too many";
        const row = { listId, loginKey: login.toLowerCase(), login, note, addedMs: at.getTime() };
        const target = [listEntries.listId, listEntries.loginKey];
        await statements
          .insert(listEntries)
          .values(row)
          .onConflictDoUpdate({ target, set: { login, note } });
        await touch(statements, listId, at);
        return undefined;
      }),
    removeEntry: (accountId, listId, login, at) =>
      transact(async (statements) => {
        if (!(await hasList(statements, accountId, listId))) return false;
        const gone = await statements
          .delete(listEntries)
          .where(isEntry(listId, login))
          .returning({ login: listEntries.login });
        if (gone.length > 0) await touch(statements, listId, at);
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
