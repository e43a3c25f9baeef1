import { eq, type SQL, sql } from "drizzle-orm";
import { execute, fetchRow, type Queries, type Work } from "../../queries/work.ts";
import type { AccountRow, NewAuditEntry } from "../account-records.ts";
import type { ControlTables } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package */
export function createPasswordRows({ tables, read, commitOne, transact }: RowsContext) {
  const { users, sessions, links } = tables;
  return {
    findPassword: (accountId: string) => read((queries) => findHash(queries, tables, accountId)),
    /**
     * Sets the password, ends the account's sessions and removes its link.
     * @returns false if `before` is not the stored hash. Then nothing is changed.
     */
    setPassword: (
      { accountId, hash, before }: Readonly<Record<"accountId" | "hash" | "before", string>>,
      by: NewAuditEntry,
    ): Promise<boolean> =>
      transact(function* (queries, log) {
        if ((yield* findHash(queries, tables, accountId)) !== before) return false;
        yield* putPassword(queries, tables, { accountId, hash, at: by.at });
        yield* execute(queries.delete(sessions).where(eq(sessions.userId, accountId)));
        yield* execute(queries.delete(links).where(eq(links.accountId, accountId)));
        yield* log(by);
        return true;
      }),
    /** Creates or updates the account's row in the tables of the sign-in library. */
    ensureUser: ({ id, email, emailKey }: AccountRow, at: Date): Promise<void> =>
      commitOne((queries) => {
        const names = { name: email, email: emailKey, updatedAt: at };
        const row = { id, ...names, emailVerified: true, createdAt: at };
        const isOther = sql`${users.email} <> ${emailKey}`;
        const conflict = { target: users.id, set: names, setWhere: isOther };
        return execute(queries.insert(users).values(row).onConflictDoUpdate(conflict));
      }),
  };
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
