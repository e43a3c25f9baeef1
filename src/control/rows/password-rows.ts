import { eq, type SQL, sql } from "drizzle-orm";
import { execute, fetchRow, type Queries, type Work } from "../../queries/work.ts";
import type { SignInStore } from "../sign-in-store.ts";
import type { ControlTables } from "../tables/control-tables.ts";
import { addAccountRow } from "./account-rows.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package */
export function createPasswordRows({ tables, read, commitOne, transact }: RowsContext) {
  const { users, sessions, links } = tables;
  return {
    findPassword: (accountId) => read((queries) => findHash(queries, tables, accountId)),
    setPassword: ({ accountId, hash, before }, by) =>
      transact(function* (queries, log) {
        if ((yield* findHash(queries, tables, accountId)) !== before) return false;
        yield* putPassword(queries, tables, { accountId, hash, at: by.at });
        yield* execute(queries.delete(sessions).where(eq(sessions.userId, accountId)));
        yield* execute(queries.delete(links).where(eq(links.accountId, accountId)));
        yield* log(by);
        return true;
      }),
    addAccountWithPassword: (account, hash, by) =>
      transact(function* (queries, log) {
        const refusal = yield* addAccountRow(queries, tables, account, undefined);
        if (refusal) return refusal;
        yield* putPassword(queries, tables, { accountId: account.id, hash, at: by.at });
        yield* log(by);
        return undefined;
      }),
    ensureUser: ({ id, email, emailKey }, at) =>
      commitOne((queries) => {
        const names = { name: email, email: emailKey, updatedAt: at };
        const row = { id, ...names, emailVerified: true, createdAt: at };
        const isOther = sql`${users.email} <> ${emailKey}`;
        const conflict = { target: users.id, set: names, setWhere: isOther };
        return execute(queries.insert(users).values(row).onConflictDoUpdate(conflict));
      }),
  } satisfies Partial<SignInStore>;
}

function* findHash(
  queries: Queries,
  tables: ControlTables,
  accountId: string,
): Work<string | undefined> {
  const isMeant = eq(tables.passwords.accountId, accountId);
  return (yield* fetchRow(selectPasswords(queries, tables, isMeant)))?.hash;
}

export const selectPasswords = (queries: Queries, { passwords }: ControlTables, isMeant: SQL) =>
  queries.select({ hash: passwords.hash }).from(passwords).where(isMeant);

/** @package Stores the hash of a password. Call inside a transaction. */
export function* putPassword(
  queries: Queries,
  { passwords }: ControlTables,
  { accountId, hash, at }: { accountId: string; hash: string; at: Date },
): Work<void> {
  const row = { accountId, hash, changedMs: at.getTime() };
  const conflict = { target: passwords.accountId, set: row };
  yield* execute(queries.insert(passwords).values(row).onConflictDoUpdate(conflict));
}
