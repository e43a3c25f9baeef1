/** Reads and writes the accounts in forges.db, and the forges' answers about addresses in commits. */
import type { AccountAddress, AccountFacts, CommitAuthor, ForgeRepository } from "./forge.ts";
import { type ForgeLedger, writeForges } from "./forge-ledger.ts";
import { dropOwned } from "./repositories.ts";
import type { Walk } from "./walks.ts";

export interface KnownAccount extends AccountFacts {
  readonly source: string;
  readonly forge: string;
  /** Earlier logins of the account, oldest first. */
  readonly formerLogins: readonly string[];
}

export type AccountSubject = Pick<KnownAccount, "forge" | "number" | "login"> &
  Partial<Pick<KnownAccount, "addresses" | "formerLogins">>;

/** Turns an account into facts about who the person is. */
export function toSubject(account: AccountSubject) {
  const { forge, login, number, formerLogins = [], addresses = [] } = account;
  return {
    ...{ login, source: forge, formerLogins: [...formerLogins], profile: {} },
    accounts: [{ forge, login, id: number }],
    emails: addresses.map(({ address }) => ({ address, sources: [forge], published: false })),
    ...{ repositories: [], evidence: [] },
  };
}

export type IsForgotten = (account: KnownAccount) => boolean;

/** @package Returns the account that owns a repository. The repository's name begins with the owner's login. */
export function toOwner(
  { name, owner = "" }: Pick<ForgeRepository, "name" | "owner">,
  { source, forge }: Pick<KnownAccount, "source" | "forge">,
): KnownAccount {
  const [login = ""] = name.split("/");
  const unknown = { isBot: false, profile: {}, addresses: [], formerLogins: [] };
  return { ...unknown, source, forge, number: owner, login };
}

/** @package Reads accounts, ordered by source and number. @param where an SQL condition on `account`, e.g. `WHERE number = ?`. */
export function readAccountRows({ sqlite }: ForgeLedger, where = "", ...values: string[]) {
  const rows = sqlite.readRows<Record<keyof KnownAccount, string>>(
    `SELECT source, account.number, login, is_bot AS isBot, profile, former_logins AS formerLogins, forge,
       (SELECT json_group_array(json_object('address', address,
          'isPublished', json(iif(is_published, 'true', 'false'))) ORDER BY address)
        FROM address WHERE address.source = account.source AND address.number = account.number) AS addresses
     FROM account JOIN source ON source.id = source ${where} ORDER BY source, account.number`,
    ...values,
  );
  return rows.map(
    (row): KnownAccount => ({
      ...row,
      isBot: Boolean(row.isBot),
      profile: JSON.parse(row.profile),
      formerLogins: JSON.parse(row.formerLogins),
      addresses: JSON.parse(row.addresses),
    }),
  );
}

/** Lists the numbers of the accounts that only an earlier walk has seen. */
export function listMissing({ ledger, source, number: walk }: Walk): readonly string[] {
  return ledger.sqlite.readColumn<string>`
    SELECT number FROM account WHERE source = ${source} AND seen < ${walk} ORDER BY number`;
}

/** @package Returns the number of complete walks since the account was last seen. Undefined means an unknown account. */
export function countMisses({ ledger, source }: Walk, number: string): number | undefined {
  return ledger.sqlite.readValue<number>`
    SELECT missed FROM account WHERE source = ${source} AND number = ${number}`;
}

/** @package Stores an account, or removes it if the person was forgotten. @returns whether it was stored. */
export function putAccount(walk: Walk, account: AccountFacts, isForgotten: IsForgotten): boolean {
  const { ledger, source, forge, number: seen } = walk;
  const { number, login, isBot, profile } = account;
  let [before] = readAccountRows(ledger, "WHERE source = ? AND number = ?", source, number);
  if (before && isForgotten(before)) {
    // The person may have been erased meanwhile, so the new row must not get the former logins.
    removeAccount(ledger, source, number);
    before = undefined;
  }
  const formerLogins = (before?.formerLogins ?? []).filter((one) => one !== login);
  if (before && before.login !== login) formerLogins.push(before.login);
  if (isForgotten({ ...account, source, forge, formerLogins })) {
    removeAccount(ledger, source, number);
    return false;
  }
  const [words, logins] = [JSON.stringify(profile), JSON.stringify(formerLogins)];
  ledger.sqlite.execute`
    INSERT OR REPLACE INTO account
      (source, number, login, is_bot, profile, former_logins, seen, missed)
    VALUES (${source}, ${number}, ${login}, ${isBot}, ${words}, ${logins}, ${seen}, 0)`;
  putAddresses(walk, number, account.addresses);
  return true;
}

const addressesMax = 50;

/** @package */
export function putAddresses(
  { ledger: { sqlite }, source, number: seen }: Walk,
  number: string,
  list: readonly AccountAddress[],
): void {
  for (const { address, isPublished } of list.slice(0, addressesMax)) {
    sqlite.execute`
      INSERT INTO address (source, number, address, is_published, seen)
      VALUES (${source}, ${number}, ${address}, ${isPublished}, ${seen})
      ON CONFLICT DO UPDATE
      SET seen = excluded.seen, is_published = max(is_published, excluded.is_published)`;
  }
}

/** @package Stores the number of complete walks since the account was last seen. */
export function noteMissed({ ledger, source, number: seen }: Walk, number: string, missed: number) {
  ledger.sqlite.execute`
    UPDATE account SET missed = ${missed}, seen = ${seen}
    WHERE source = ${source} AND number = ${number}`;
}

/** @package Removes addresses that the forge no longer lists, of accounts that the forge still has. */
export function dropOldAddresses({ ledger: { sqlite }, source, number: walk }: Walk): void {
  sqlite.execute`
    DELETE FROM address WHERE source = ${source} AND seen < ${walk}
      AND number IN (SELECT number FROM account WHERE source = ${source} AND missed = 0)`;
}

/** @package Removes an account with its reviews and its repositories. */
export function removeAccount(ledger: ForgeLedger, source: string, number: string): void {
  removeAccountAlone(ledger, source, number);
  dropOwned(ledger, source, number);
}

/** @package Removes an account, but not its repositories. They may have another owner by now. */
export function removeAccountAlone({ sqlite }: ForgeLedger, source: string, number: string): void {
  for (const table of ["account", "address", "review"]) {
    sqlite.execute(`DELETE FROM ${table} WHERE source = ? AND number = ?`, source, number);
  }
}

type CommitAuthorRow = Record<"source" | "forge" | "address" | "askedAt", string> &
  Record<"number" | "login", string | null>;

/** @package Reads the forges' answers about addresses in commits. Addresses are in lower case. */
export function readCommitAuthors({ sqlite }: ForgeLedger) {
  return sqlite.readRows<CommitAuthorRow>`
    SELECT source, forge, address, number, login, asked_at AS askedAt
    FROM spelling JOIN source ON source.id = source
    ORDER BY source, address`.map(({ number, login, ...author }) => {
    const owner: CommitAuthor = number && login ? { number, login } : "nobody";
    return { ...author, owner };
  });
}

/** @param owners the account for each address in lower case. @param askedAt the time of the answer, ISO 8601, UTC. */
export function putCommitAuthors(
  ledger: ForgeLedger,
  source: string,
  owners: ReadonlyMap<string, CommitAuthor>,
  askedAt: string,
): void {
  writeForges(ledger, (sqlite) => {
    for (const [address, owner] of owners) {
      const { number, login } = typeof owner === "string" ? nobody : owner;
      sqlite.execute`
        INSERT OR REPLACE INTO spelling (source, address, number, login, asked_at)
        VALUES (${source}, ${address}, ${number}, ${login}, ${askedAt})`;
    }
  });
}

const nobody = { number: null, login: null };
