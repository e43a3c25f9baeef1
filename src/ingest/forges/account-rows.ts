/** The rows of accounts in forges.db, as a walk stores them. */
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Database } from "../../sqlite/database.ts";
import type { AccountAddress, AccountFacts } from "./forge.ts";
import type { KnownAccount } from "./forge-ledger.ts";
import { dropReviews } from "./review-rows.ts";
import { forgeAccounts as accounts, addresses, repositories, reviews } from "./tables.ts";

/** Of one account, by one page: as many as facts hold of a person. */
const addressesMax = 50;

/** @package */
export function openAccountRows(
  { orm }: Database,
  {
    source,
    forge,
    walk,
  }: { readonly source: string; readonly forge: string; readonly walk: number },
) {
  const isOf = (table: typeof accounts | typeof addresses, number: string) =>
    and(eq(table.source, source), eq(table.number, number));
  const putAddresses = (number: string, list: readonly AccountAddress[]): void => {
    for (const { address, isPublished } of list.slice(0, addressesMax)) {
      orm
        .insert(addresses)
        .values({ source, number, address, isPublished, seen: walk })
        .onConflictDoUpdate({
          target: [addresses.source, addresses.number, addresses.address],
          set: { seen: walk, isPublished: sql`max(is_published, ${isPublished ? 1 : 0})` },
        })
        .run();
    }
  };
  const find = (number: string) => orm.select().from(accounts).where(isOf(accounts, number)).get();
  /** Removes what is kept of somebody who was forgotten since, as by another server, so that no former login passes on. */
  const findKept = (number: string, isForgotten: (account: KnownAccount) => boolean) => {
    const known = find(number);
    if (!known) return undefined;
    const told = orm.select().from(addresses).where(isOf(addresses, number)).all();
    if (!isForgotten({ ...known, forge, addresses: told })) return known;
    removeAccount(orm, source, number);
    return undefined;
  };
  return {
    putAddresses,
    find,
    /** Leaves the repositories, which may be another owner's by now. */
    remove: (number: string) => removeRows(orm, source, number),
    /** Notes that a complete walk has not seen the account. */
    note(number: string, missed: number): void {
      orm.update(accounts).set({ missed, seen: walk }).where(isOf(accounts, number)).run();
    },
    /** Removes a forgotten account, and stores any other. @returns whether it was stored. */
    put(account: AccountFacts, isForgotten: (account: KnownAccount) => boolean): boolean {
      const { number, login, isBot, profile } = account;
      const before = findKept(number, isForgotten);
      const formerLogins = (before?.formerLogins ?? []).filter((one) => one !== login);
      if (before && before.login !== login) formerLogins.push(before.login);
      if (isForgotten({ ...account, source, forge, formerLogins })) {
        removeAccount(orm, source, number);
        return false;
      }
      const values = { login, isBot, profile, formerLogins, seen: walk, missed: 0 };
      orm
        .insert(accounts)
        .values({ source, number, ...values })
        .onConflictDoUpdate({ target: [accounts.source, accounts.number], set: values })
        .run();
      putAddresses(number, account.addresses);
      return true;
    },
    /** Removes addresses that the forge no longer gives for accounts that it still has. */
    dropOldAddresses(): void {
      const seen = orm
        .select({ number: accounts.number })
        .from(accounts)
        .where(and(eq(accounts.source, source), eq(accounts.missed, 0)));
      const isOld = and(eq(addresses.source, source), lt(addresses.seen, walk));
      orm
        .delete(addresses)
        .where(and(isOld, inArray(addresses.number, seen)))
        .run();
    },
  };
}

/** @package Removes an account, with its reviews and the repositories that it owns. */
export function removeAccount(orm: Database["orm"], source: string, number: string): void {
  removeRows(orm, source, number);
  removeRepositories(orm, source, number);
}

function removeRepositories(orm: Database["orm"], source: string, owner: string): void {
  orm
    .delete(repositories)
    .where(
      and(eq(repositories.source, source), sql`${repositories.facts} ->> '$.owner' = ${owner}`),
    )
    .run();
  dropReviews({ orm }, source);
}

function removeRows(orm: Database["orm"], source: string, number: string): void {
  for (const table of [accounts, addresses, reviews]) {
    orm
      .delete(table)
      .where(and(eq(table.source, source), eq(table.number, number)))
      .run();
  }
}
