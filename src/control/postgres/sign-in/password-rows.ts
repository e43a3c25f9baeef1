import { eq, sql } from "drizzle-orm";
import type { Statements } from "../../../postgres/database.ts";
import type { AddRefusal } from "../../account-records.ts";
import type { SignInStore } from "../../sign-in-store.ts";
import { addAccountRow, findRefusal } from "../account-rows.ts";
import type { ControlContext } from "../context.ts";
import { links, passwords, sessions, user } from "./sign-in-tables.ts";

type Passwords = Pick<
  SignInStore,
  "findPassword" | "setPassword" | "addAccountWithPassword" | "ensureUser"
>;

/** @package */
export function createPasswordRows({ read, commitOne, transact }: ControlContext): Passwords {
  return {
    findPassword: (accountId) => read((statements) => findHash(statements, accountId)),
    setPassword: ({ accountId, hash, before }, by) =>
      transact(async (statements, log) => {
        if ((await findHash(statements, accountId)) !== before) return false;
        await putPassword(statements, { accountId, hash, at: by.at });
        await statements.delete(sessions).where(eq(sessions.userId, accountId));
        await statements.delete(links).where(eq(links.accountId, accountId));
        await log(by);
        return true;
      }),
    addAccountWithPassword: (account, hash, by) =>
      transact(async (statements, log): Promise<AddRefusal | undefined> => {
        const refusal = await findRefusal(statements, account, undefined);
        if (refusal) return refusal;
        await addAccountRow(statements, account);
        await putPassword(statements, { accountId: account.id, hash, at: by.at });
        await log(by);
        return undefined;
      }),
    ensureUser: async ({ id, email, emailKey }, at) => {
      const names = { name: email, email: emailKey, updatedAt: at };
      const row = { id, ...names, emailVerified: true, createdAt: at };
      const isOther = sql`${user.email} <> ${emailKey}`;
      await commitOne((statements) =>
        statements
          .insert(user)
          .values(row)
          .onConflictDoUpdate({ target: user.id, set: names, setWhere: isOther }),
      );
    },
  };
}

async function findHash(statements: Statements, accountId: string): Promise<string | undefined> {
  const [row] = await statements.select().from(passwords).where(eq(passwords.accountId, accountId));
  return row?.hash;
}

/** @package Call inside a transaction. */
export async function putPassword(
  statements: Statements,
  { accountId, hash, at }: { accountId: string; hash: string; at: Date },
): Promise<void> {
  const row = { accountId, hash, changedMs: at.getTime() };
  await statements
    .insert(passwords)
    .values(row)
    .onConflictDoUpdate({ target: passwords.accountId, set: row });
}
