import { and, asc, eq, isNull, or } from "drizzle-orm";
import { isAnyOf } from "../../postgres/column-types.ts";
import type { Statements } from "../../postgres/database.ts";
import type { AccountChange, AccountRow, AddRefusal, NewAccountRow } from "../account-records.ts";
import type { KeyHolder, NewKey } from "../control-store.ts";
import { accounts, keys } from "./tables.ts";

/** @package For each digest, in order. */
export async function findHolders(
  statements: Statements,
  digests: readonly Uint8Array[],
): Promise<readonly (KeyHolder | undefined)[]> {
  const wanted = digests.map((digest) => Buffer.from(digest));
  const rows = await statements
    .select({ digest: keys.digest, keyId: keys.id, accountId: keys.accountId, plan: accounts.plan })
    .from(keys)
    .innerJoin(accounts, and(eq(accounts.id, keys.accountId), eq(accounts.disabled, false)))
    .where(and(isAnyOf(keys.digest, wanted, "BYTEA"), isNull(keys.revokedMs)));
  const found = new Map(
    rows.map(({ digest, ...holder }) => [Buffer.from(digest).toString("hex"), holder]),
  );
  return wanted.map((digest) => found.get(digest.toString("hex")));
}

const activeKey = and(eq(keys.accountId, accounts.id), isNull(keys.revokedMs));

function selectAccounts(statements: Statements) {
  return statements
    .select({ account: accounts, keyHint: keys.hint, keyLastUsedMs: keys.lastUsedMs })
    .from(accounts)
    .leftJoin(keys, activeKey);
}

/** @package */
export async function findByEmail(
  statements: Statements,
  emailKey: string,
): Promise<AccountRow | undefined> {
  const [row] = await selectAccounts(statements).where(eq(accounts.emailKey, emailKey));
  return row && toAccountRow(row);
}

/** @package */
export async function findById(
  statements: Statements,
  id: string,
): Promise<AccountRow | undefined> {
  const [row] = await selectAccounts(statements).where(eq(accounts.id, id));
  return row && toAccountRow(row);
}

/** @package Oldest first. */
export async function listAll(statements: Statements): Promise<readonly AccountRow[]> {
  const rows = await selectAccounts(statements).orderBy(asc(accounts.createdMs), asc(accounts.id));
  return rows.map(toAccountRow);
}

/** @package */
export async function addAccountRow(statements: Statements, account: NewAccountRow): Promise<void> {
  await statements.insert(accounts).values(account);
}

/** @package */
export async function writeAccountChange(
  statements: Statements,
  id: string,
  change: AccountChange,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await statements.update(accounts).set(change).where(eq(accounts.id, id));
}

/** @package */
export async function replaceKeyRow(
  statements: Statements,
  accountId: string,
  { id, digest, hint, createdMs }: NewKey,
): Promise<void> {
  await statements
    .update(keys)
    .set({ revokedMs: createdMs })
    .where(and(eq(keys.accountId, accountId), isNull(keys.revokedMs)));
  const row = { id, accountId, digest: Buffer.from(digest), hint, createdMs };
  await statements.insert(keys).values(row);
}

/** @package */
export async function findRefusal(
  statements: Statements,
  { id, emailKey }: NewAccountRow,
  key: NewKey | undefined,
): Promise<AddRefusal | undefined> {
  const same = or(eq(accounts.id, id), eq(accounts.emailKey, emailKey));
  const others = await statements.select({ id: accounts.id }).from(accounts).where(same).limit(1);
  if (others.length > 0) return { ok: false, code: "account_taken" };
  if (!key) return undefined;
  const digest = Buffer.from(key.digest);
  const known = await statements
    .select({ id: keys.id })
    .from(keys)
    .where(eq(keys.digest, digest))
    .limit(1);
  return known.length > 0 ? { ok: false, code: "key_taken" } : undefined;
}

/** @package Whether this account is the only enabled administrator. */
export async function isLastAdministrator(statements: Statements, id: string): Promise<boolean> {
  const isEnabled = and(eq(accounts.administrator, true), eq(accounts.disabled, false));
  const enabled = await statements
    .select({ id: accounts.id })
    .from(accounts)
    .where(isEnabled)
    .limit(2);
  return enabled.length === 1 && enabled[0]?.id === id;
}

interface JoinedRow {
  readonly account: typeof accounts.$inferSelect;
  readonly keyHint: string | null;
  readonly keyLastUsedMs: number | null;
}

function toAccountRow({ account, keyHint, keyLastUsedMs }: JoinedRow): AccountRow {
  return { ...account, keyHint: keyHint ?? undefined, keyLastUsedMs: keyLastUsedMs ?? undefined };
}
