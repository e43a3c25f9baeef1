import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../sqlite/database.ts";
import type { AccountChange, AccountRow, AddRefusal, NewAccountRow } from "../account-records.ts";
import type { KeyHolder, NewKey } from "../control-store.ts";
import { accounts, keys } from "./tables.ts";

/** @package The rows of accounts and their keys; whoever writes does it inside a transaction. */
export interface AccountRows {
  byDigest(digest: Uint8Array): KeyHolder | undefined;
  byEmail(emailKey: string): AccountRow | undefined;
  byId(id: string): AccountRow | undefined;
  list(): readonly AccountRow[];
  add(account: NewAccountRow): void;
  change(id: string, change: AccountChange): void;
  replaceKey(accountId: string, key: NewKey): void;
  refusalOf(account: NewAccountRow, key: NewKey | undefined): AddRefusal | undefined;
  /** Whether nobody but this account administers: those who are disabled do not. */
  isLastAdministrator(id: string): boolean;
}

/** @package */
export function createAccountRows(store: Database): AccountRows {
  const { orm } = store;
  const activeKey = and(eq(keys.accountId, accounts.id), isNull(keys.revokedMs));
  const held = () =>
    orm
      .select({
        account: accounts,
        keyHint: keys.hint,
        keyLastUsedMs: keys.lastUsedMs,
      })
      .from(accounts)
      .leftJoin(keys, activeKey);
  const keyHolder = prepareOnce(() => {
    // Asked once a request; a subquery, since SQLite takes several times as long over the join.
    const plan = sql<string | null>`(${orm
      .select({ plan: accounts.plan })
      .from(accounts)
      .where(and(sql`${accounts}.id = ${keys}.account_id`, eq(accounts.disabled, false)))})`;
    return orm
      .select({ keyId: keys.id, accountId: keys.accountId, plan })
      .from(keys)
      .where(and(eq(keys.digest, sql.placeholder("digest")), isNull(keys.revokedMs)));
  });
  return {
    byDigest: (digest) => {
      const holder = keyHolder().get({ digest: Buffer.from(digest) });
      return holder?.plan ? { ...holder, plan: holder.plan } : undefined;
    },
    byEmail: (emailKey) => held().where(eq(accounts.emailKey, emailKey)).all().map(asHeld)[0],
    byId: (id) => held().where(eq(accounts.id, id)).all().map(asHeld)[0],
    list: () => held().orderBy(asc(accounts.createdMs), asc(accounts.id)).all().map(asHeld),
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
    refusalOf({ id, emailKey }, key) {
      const same = or(eq(accounts.id, id), eq(accounts.emailKey, emailKey));
      const other = orm.select({ id: accounts.id }).from(accounts).where(same).get();
      if (other) return { ok: false, code: "account_taken" };
      if (!key) return undefined;
      const digest = Buffer.from(key.digest);
      const held = orm.select({ id: keys.id }).from(keys).where(eq(keys.digest, digest)).get();
      return held && { ok: false, code: "key_taken" };
    },
    isLastAdministrator(id) {
      const isEnabled = and(eq(accounts.administrator, true), eq(accounts.disabled, false));
      const found = orm.select({ id: accounts.id }).from(accounts).where(isEnabled).limit(2).all();
      return found.length === 1 && found[0]?.id === id;
    },
  };
}

interface Joined {
  readonly account: typeof accounts.$inferSelect;
  readonly keyHint: string | null;
  readonly keyLastUsedMs: number | null;
}

function asHeld({ account, keyHint, keyLastUsedMs }: Joined): AccountRow {
  return { ...account, keyHint: keyHint ?? undefined, keyLastUsedMs: keyLastUsedMs ?? undefined };
}
