import { and, asc, eq, isNull, or } from "drizzle-orm";
import type { Database } from "../../sqlite/database.ts";
import type { AccountChange, AccountRow, AddRefusal, NewAccountRow } from "../account-records.ts";
import type { NewKey } from "../control-store.ts";
import { accounts, keys } from "./tables.ts";

/** @package The rows of accounts and their keys. Write inside a transaction only. */
export interface AccountRows {
  byEmail(emailKey: string): AccountRow | undefined;
  byId(id: string): AccountRow | undefined;
  list(): readonly AccountRow[];
  add(account: NewAccountRow): void;
  change(id: string, change: AccountChange): void;
  replaceKey(accountId: string, key: NewKey): void;
  findRefusal(account: NewAccountRow, key: NewKey | undefined): AddRefusal | undefined;
  /** Whether this account is the only enabled administrator. */
  isLastAdministrator(id: string): boolean;
}

/** @package */
export function createAccountRows(store: Database): AccountRows {
  const { orm } = store;
  const activeKey = and(eq(keys.accountId, accounts.id), isNull(keys.revokedMs));
  const selectAccounts = () =>
    orm
      .select({
        account: accounts,
        keyHint: keys.hint,
        keyLastUsedMs: keys.lastUsedMs,
      })
      .from(accounts)
      .leftJoin(keys, activeKey);
  return {
    byEmail: (emailKey) =>
      selectAccounts().where(eq(accounts.emailKey, emailKey)).all().map(toAccountRow)[0],
    byId: (id) => selectAccounts().where(eq(accounts.id, id)).all().map(toAccountRow)[0],
    list: () =>
      selectAccounts().orderBy(asc(accounts.createdMs), asc(accounts.id)).all().map(toAccountRow),
    add: (account) => {
      orm.insert(accounts).values(account).run();
    },
    change: (id, change) => {
      orm.update(accounts).set(change).where(eq(accounts.id, id)).run();
    },
    replaceKey(accountId, { id, digest, hint, createdMs }) {
      orm
        .update(keys)
        .set({ revokedMs: createdMs })
        .where(and(eq(keys.accountId, accountId), isNull(keys.revokedMs)))
        .run();
      const row = { id, accountId, digest: Buffer.from(digest), hint, createdMs };
      orm.insert(keys).values(row).run();
    },
    findRefusal({ id, emailKey }, key) {
      const same = or(eq(accounts.id, id), eq(accounts.emailKey, emailKey));
      const other = orm.select({ id: accounts.id }).from(accounts).where(same).get();
      if (other) return { ok: false, code: "account_taken" };
      if (!key) return undefined;
      const digest = Buffer.from(key.digest);
      const known = orm.select({ id: keys.id }).from(keys).where(eq(keys.digest, digest)).get();
      return known && { ok: false, code: "key_taken" };
    },
    isLastAdministrator(id) {
      const isEnabled = and(eq(accounts.administrator, true), eq(accounts.disabled, false));
      const enabled = orm
        .select({ id: accounts.id })
        .from(accounts)
        .where(isEnabled)
        .limit(2)
        .all();
      return enabled.length === 1 && enabled[0]?.id === id;
    },
  };
}

interface JoinedRow {
  readonly account: typeof accounts.$inferSelect;
  readonly keyHint: string | null;
  readonly keyLastUsedMs: number | null;
}

function toAccountRow({ account, keyHint, keyLastUsedMs }: JoinedRow): AccountRow {
  return { ...account, keyHint: keyHint ?? undefined, keyLastUsedMs: keyLastUsedMs ?? undefined };
}
