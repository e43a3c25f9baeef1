/** The accounts in forges.db, and the accounts that sample commits showed for addresses. */
import { and, asc, eq, getTableColumns, inArray, lt, sql } from "drizzle-orm";
import type { AccountAddress, AccountFacts, CommitAuthor, ForgeRepository } from "./forge.ts";
import { type ForgeLedger, writeForges } from "./forge-ledger.ts";
import { dropOwned } from "./repositories.ts";
import { forgeAccounts as accounts, addresses, reviews, sources, spellings } from "./tables.ts";
import type { Walk } from "./walks.ts";

export interface KnownAccount extends AccountFacts {
  readonly source: string;
  readonly forge: string;
  /** Logins that it had, oldest first. */
  readonly formerLogins: readonly string[];
}

/** What identifies an account. The addresses are absent for an account that is known from a commit only. */
export type AccountSubject = Pick<KnownAccount, "forge" | "number" | "login"> &
  Partial<Pick<KnownAccount, "addresses" | "formerLogins">>;

/** As much of an account as identifies a person. */
export function toSubject({
  forge,
  login,
  number,
  formerLogins = [],
  addresses = [],
}: AccountSubject) {
  return {
    ...{ login, source: forge, formerLogins: [...formerLogins], profile: {} },
    accounts: [{ forge, login, id: number }],
    emails: addresses.map(({ address }) => ({ address, sources: [forge], published: false })),
    ...{ repositories: [], evidence: [] },
  };
}

export type IsForgotten = (account: KnownAccount) => boolean;

const unknownAccount = { isBot: false, profile: {}, addresses: [], formerLogins: [] };

/** @package The account that a repository names as its owner: its name begins with the owner's. */
export function toOwner(
  { name, owner = "" }: Pick<ForgeRepository, "name" | "owner">,
  { source, forge }: Pick<KnownAccount, "source" | "forge">,
): KnownAccount {
  const [login = ""] = name.split("/");
  return { ...unknownAccount, source, forge, number: owner, login };
}

/** @package Ordered by source and number. */
export function readAccountRows({ orm }: ForgeLedger): readonly KnownAccount[] {
  const { seen: _, missed: __, ...columns } = getTableColumns(accounts);
  const byAccount = Map.groupBy(
    orm.select().from(addresses).orderBy(asc(addresses.address)).all(),
    ({ source, number }) => `${source} ${number}`,
  );
  return orm
    .select({ ...columns, forge: sources.forge })
    .from(accounts)
    .innerJoin(sources, eq(sources.id, accounts.source))
    .orderBy(asc(accounts.source), asc(accounts.number))
    .all()
    .map((account) => ({
      ...account,
      addresses: (byAccount.get(`${account.source} ${account.number}`) ?? []).map(
        ({ address, isPublished }) => ({ address, isPublished }),
      ),
    }));
}

const isOf = (
  table: typeof accounts | typeof addresses | typeof reviews,
  source: string,
  number: string,
) => and(eq(table.source, source), eq(table.number, number));

/** @package */
export function findAccount({ ledger: { orm }, source }: Walk, number: string) {
  return orm
    .select()
    .from(accounts)
    .where(isOf(accounts, source, number))
    .get();
}

/** @package Removes a forgotten account, and stores any other. @returns whether it was stored. */
export function putAccount(walk: Walk, account: AccountFacts, isForgotten: IsForgotten): boolean {
  const { ledger, source, forge, number: seen } = walk;
  const { number, login, isBot, profile } = account;
  const before = findKept(walk, number, isForgotten);
  const formerLogins = (before?.formerLogins ?? []).filter((one) => one !== login);
  if (before && before.login !== login) formerLogins.push(before.login);
  if (isForgotten({ ...account, source, forge, formerLogins })) {
    removeAccount(ledger, source, number);
    return false;
  }
  const set = { login, isBot, profile, formerLogins, seen, missed: 0 };
  ledger.orm
    .insert(accounts)
    .values({ source, number, ...set })
    .onConflictDoUpdate({ target: [accounts.source, accounts.number], set })
    .run();
  putAddresses(walk, number, account.addresses);
  return true;
}

/** Removes what is kept of somebody who was forgotten since, as by another server, so that no former login passes on. */
function findKept(walk: Walk, number: string, isForgotten: IsForgotten) {
  const { ledger, source, forge } = walk;
  const known = findAccount(walk, number);
  if (!known) return undefined;
  const isTheirs = isOf(addresses, source, number);
  const given = ledger.orm.select().from(addresses).where(isTheirs).all();
  if (!isForgotten({ ...known, forge, addresses: given })) return known;
  removeAccount(ledger, source, number);
  return undefined;
}

/** Of one account, by one page: as many as facts hold of a person. */
const addressesMax = 50;

/** @package */
export function putAddresses(
  { ledger: { orm }, source, number: seen }: Walk,
  number: string,
  list: readonly AccountAddress[],
): void {
  for (const { address, isPublished } of list.slice(0, addressesMax)) {
    orm
      .insert(addresses)
      .values({ source, number, address, isPublished, seen })
      .onConflictDoUpdate({
        target: [addresses.source, addresses.number, addresses.address],
        set: { seen, isPublished: sql`max(is_published, ${isPublished ? 1 : 0})` },
      })
      .run();
  }
}

/** Numbers of the accounts that an earlier walk saw and this one has not, in order. */
export function listMissing({ ledger, source, number: walk }: Walk): readonly string[] {
  return ledger.orm
    .select({ number: accounts.number })
    .from(accounts)
    .where(and(eq(accounts.source, source), lt(accounts.seen, walk)))
    .orderBy(asc(accounts.number))
    .all()
    .map(({ number }) => number);
}

/** @package Notes that a complete walk has not seen the account. */
export function noteMissed({ ledger, source, number: seen }: Walk, number: string, missed: number) {
  ledger.orm
    .update(accounts)
    .set({ missed, seen })
    .where(isOf(accounts, source, number))
    .run();
}

/** @package Removes addresses that the forge no longer gives for accounts that it still has. */
export function dropOldAddresses({ ledger: { orm }, source, number: walk }: Walk): void {
  const seen = orm
    .select({ number: accounts.number })
    .from(accounts)
    .where(and(eq(accounts.source, source), eq(accounts.missed, 0)));
  const isOld = and(eq(addresses.source, source), lt(addresses.seen, walk));
  orm
    .delete(addresses)
    .where(and(isOld, inArray(addresses.number, seen)))
    .run();
}

/** @package Removes an account, with its reviews and the repositories that it owns. */
export function removeAccount(ledger: ForgeLedger, source: string, number: string): void {
  removeAccountAlone(ledger, source, number);
  dropOwned(ledger, source, number);
}

/** @package Leaves the repositories, which may be another owner's by now. */
export function removeAccountAlone({ orm }: ForgeLedger, source: string, number: string): void {
  for (const table of [accounts, addresses, reviews]) {
    orm
      .delete(table)
      .where(isOf(table, source, number))
      .run();
  }
}

/** @package Ordered by source and address, which is in lower case. */
export function readCommitAuthors({ orm }: ForgeLedger) {
  return orm
    .select()
    .from(spellings)
    .orderBy(asc(spellings.source), asc(spellings.address))
    .all()
    .map(({ source, address, number, login, askedAt }) => {
      const owner: CommitAuthor = number && login ? { number, login } : "nobody";
      return { source, address, owner, askedAt };
    });
}

/** @param owners by address in lower case. @param askedAt ISO 8601, UTC. */
export function putCommitAuthors(
  ledger: ForgeLedger,
  source: string,
  owners: ReadonlyMap<string, CommitAuthor>,
  askedAt: string,
): void {
  const target = [spellings.source, spellings.address];
  writeForges(ledger, () => {
    for (const [address, owner] of owners) {
      const set = { ...(typeof owner === "string" ? nobody : owner), askedAt };
      ledger.orm
        .insert(spellings)
        .values({ source, address, ...set })
        .onConflictDoUpdate({ target, set })
        .run();
    }
  });
}

const nobody = { number: null, login: null };
