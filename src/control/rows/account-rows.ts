import { and, asc, eq, gte, isNull, or, type SQL, sql } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type {
  AccountChange,
  AccountRow,
  AddRefusal,
  NewAccountRow,
  NewAuditEntry,
  NewKey,
} from "../account-records.ts";
import type { ControlTables } from "../tables/control-tables.ts";
import { endAccess } from "./ending.ts";
import { putPassword } from "./password-rows.ts";
import type { RowsContext } from "./rows-context.ts";

/** Stores accounts, their keys, and the counted calls. */
export function createAccountRows({ tables, read, transact }: RowsContext) {
  const { accounts, usage } = tables;
  return {
    findAccountByEmail: (emailKey: string) =>
      read((queries) => fetchAccount(queries, tables, eq(accounts.emailKey, emailKey))),
    findAccount: (id: string) =>
      read((queries) => fetchAccount(queries, tables, eq(accounts.id, id))),
    /** Returns all accounts, the oldest first. */
    listAccounts: (): Promise<readonly AccountRow[]> =>
      read(function* (queries) {
        const oldestFirst = [asc(accounts.createdMs), asc(accounts.id)];
        const rows = yield* fetchRows(selectAccounts(queries, tables).orderBy(...oldestFirst));
        return rows.map(toAccountRow);
      }),
    /**
     * Adds the account and the audit entry in one transaction.
     * @param hash of the password, if the account has one from the start.
     * @returns the reason if nothing was added. A key that any account has ever had cannot be added again.
     */
    addAccount: (
      account: NewAccountRow,
      key: NewKey | undefined,
      by: NewAuditEntry,
      hash?: string,
    ): Promise<AddRefusal | undefined> =>
      transact(function* (queries, log) {
        const refusal = yield* addAccountRow(queries, tables, account, key);
        if (refusal) return refusal;
        const { id } = account;
        if (key) yield* replaceKey(queries, tables, id, key);
        if (hash) yield* putPassword(queries, tables, { accountId: id, hash, at: by.at });
        yield* log(by);
        return undefined;
      }),
    /**
     * Changes an account. Disabling an account also ends its sessions and grants.
     * @returns the reason if nothing was changed: with `keepsAdministrator`, the last enabled administrator cannot be disabled.
     */
    changeAccount: (
      id: string,
      change: AccountChange,
      by: NewAuditEntry,
      options?: { readonly keepsAdministrator: boolean },
    ): Promise<"last administrator" | undefined> =>
      transact(function* (queries, log) {
        const mustKeepOne = options?.keepsAdministrator && change.disabled;
        if (mustKeepOne && (yield* isLastAdministrator(queries, tables, id))) {
          return "last administrator";
        }
        if (Object.keys(change).length > 0) {
          yield* execute(queries.update(accounts).set(change).where(eq(accounts.id, id)));
        }
        // The sessions and grants must not come back when the account is enabled again.
        if (change.disabled) yield* endAccess(queries, tables, id);
        yield* log(by);
        return undefined;
      }),
    /** Revokes the account's active key, if any, and adds the new one. */
    replaceKey: (accountId: string, key: NewKey, by: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        yield* replaceKey(queries, tables, accountId, key);
        yield* log(by);
      }),
    /** Returns the calls of each account on each UTC day since a day such as `2026-11-21`. Days without calls are left out. */
    dailyCalls: (since: string) =>
      read((queries) => {
        const isDay = sql`length(${usage.window}) = 10`;
        const calls = { day: usage.window, accountId: usage.accountId, calls: usage.used };
        return fetchRows(
          queries
            .select(calls)
            .from(usage)
            .where(and(gte(usage.window, since), isDay))
            .orderBy(asc(usage.window), asc(usage.accountId)),
        );
      }),
  };
}

/** @package */
export function* fetchAccount(
  queries: Queries,
  tables: ControlTables,
  isMeant: SQL,
): Work<AccountRow | undefined> {
  const row = yield* fetchRow(selectAccounts(queries, tables).where(isMeant));
  return row && toAccountRow(row);
}

function selectAccounts(queries: Queries, tables: ControlTables) {
  const { accounts, keys } = tables;
  return queries
    .select(listAccountFields(tables))
    .from(accounts)
    .leftJoin(keys, isActiveKey(tables));
}

/** @package Returns the fields that a query must select for `toAccountRow`. */
export function listAccountFields({ accounts, keys }: ControlTables) {
  return { account: accounts, keyHint: keys.hint, keyLastUsedMs: keys.lastUsedMs };
}

/** @package */
export function isActiveKey({ accounts, keys }: ControlTables) {
  return and(eq(keys.accountId, accounts.id), isNull(keys.revokedMs));
}

function* addAccountRow(
  queries: Queries,
  { accounts, keys }: ControlTables,
  account: NewAccountRow,
  key: NewKey | undefined,
): Work<AddRefusal | undefined> {
  const { id, emailKey } = account;
  const isSame = or(eq(accounts.id, id), eq(accounts.emailKey, emailKey));
  const taken = queries.select({ id: accounts.id }).from(accounts).where(isSame).limit(1);
  if (yield* fetchRow(taken)) return "account_taken";
  if (key) {
    const isKnown = eq(keys.digest, Buffer.from(key.digest));
    const known = queries.select({ id: keys.id }).from(keys).where(isKnown).limit(1);
    if (yield* fetchRow(known)) return "key_taken";
  }
  yield* execute(queries.insert(accounts).values(account));
  return undefined;
}

function* replaceKey(
  queries: Queries,
  { keys }: ControlTables,
  accountId: string,
  { id, digest, hint, createdMs }: NewKey,
): Work<void> {
  const isActive = and(eq(keys.accountId, accountId), isNull(keys.revokedMs));
  yield* execute(queries.update(keys).set({ revokedMs: createdMs }).where(isActive));
  const row = { id, accountId, digest: Buffer.from(digest), hint, createdMs };
  yield* execute(queries.insert(keys).values(row));
}

/** Whether this account is the only enabled administrator. */
function* isLastAdministrator(
  queries: Queries,
  { accounts }: ControlTables,
  id: string,
): Work<boolean> {
  const isEnabled = and(eq(accounts.administrator, true), eq(accounts.disabled, false));
  const enabled = yield* fetchRows(
    queries.select({ id: accounts.id }).from(accounts).where(isEnabled).limit(2),
  );
  return enabled.length === 1 && enabled[0]?.id === id;
}

type JoinedRow = ReturnType<ReturnType<typeof selectAccounts>["all"]>[number];

/** @package */
export function toAccountRow({ account, keyHint, keyLastUsedMs }: JoinedRow): AccountRow {
  return { ...account, keyHint: keyHint ?? undefined, keyLastUsedMs: keyLastUsedMs ?? undefined };
}
