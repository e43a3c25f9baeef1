import { eq, sql } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { AddRefusal } from "../../account-records.ts";
import type { SignInStore } from "../../sign-in-store.ts";
import type { SignInStoreContext } from "./sign-in-store-context.ts";
import { links, passwords, sessions, user } from "./sign-in-tables.ts";

type Passwords = Pick<
  Immediate<SignInStore>,
  "findPassword" | "setPassword" | "addAccountWithPassword" | "ensureUser"
>;

/** @package */
export function createPasswordRows({
  store,
  accountRows,
  guarded,
  transact,
}: SignInStoreContext): Passwords {
  const { orm } = store;
  const find = (accountId: string) =>
    orm.select().from(passwords).where(eq(passwords.accountId, accountId)).get()?.hash;
  return {
    findPassword: (accountId) => guarded(() => find(accountId)),
    setPassword: ({ accountId, hash, before }, by) =>
      transact((log) => {
        if (find(accountId) !== before) return false;
        putPassword(store, { accountId, hash, at: by.at });
        orm.delete(sessions).where(eq(sessions.userId, accountId)).run();
        orm.delete(links).where(eq(links.accountId, accountId)).run();
        log(by);
        return true;
      }),
    addAccountWithPassword: (account, hash, by) =>
      transact((log): AddRefusal | undefined => {
        const refusal = accountRows.findRefusal(account, undefined);
        if (refusal) return refusal;
        accountRows.add(account);
        putPassword(store, { accountId: account.id, hash, at: by.at });
        log(by);
        return undefined;
      }),
    ensureUser: ({ id, email, emailKey }, at) => {
      const names = { name: email, email: emailKey, updatedAt: at };
      const row = { id, ...names, emailVerified: true, createdAt: at };
      const isOther = sql`${user.email} <> ${emailKey}`;
      guarded(() =>
        orm
          .insert(user)
          .values(row)
          .onConflictDoUpdate({ target: user.id, set: names, setWhere: isOther })
          .run(),
      );
    },
  };
}

/** @package Call inside a transaction. */
export function putPassword(
  { orm }: Database,
  { accountId, hash, at }: { accountId: string; hash: string; at: Date },
): void {
  const row = { accountId, hash, changedMs: at.getTime() };
  orm
    .insert(passwords)
    .values(row)
    .onConflictDoUpdate({ target: passwords.accountId, set: row })
    .run();
}
