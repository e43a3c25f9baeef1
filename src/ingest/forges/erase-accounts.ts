import { type AccountSubject, type KnownAccount, removeAccount, toOwner } from "./accounts.ts";
import type { ForgeSelection } from "./forge.ts";
import { type ForgeContent, readForgeContent } from "./forge-content.ts";
import { cleanForges, type ForgeLedger, writeForges } from "./forge-ledger.ts";

interface ForgottenPeople {
  readonly isTheirAccount: (account: AccountSubject) => boolean;
  /** Whether an address belongs to a forgotten person. The address is in lower case. */
  readonly isTheirAddress: (address: string) => boolean;
}

/** Erases people's accounts, everything about them, and commit addresses. @returns the number of erased accounts and addresses. */
export function eraseAccounts(ledger: ForgeLedger, people: ForgottenPeople): number {
  const { isTheirAccount, isTheirAddress } = people;
  const content = readForgeContent(ledger);
  const theirs = [...content.accounts, ...listOwners(content)].filter(isTheirAccount);
  const given = content.commitAuthors.filter(({ forge, address, owner }) => {
    const isOwned = typeof owner !== "string" && isTheirAccount({ forge, ...owner });
    return isOwned || isTheirAddress(address);
  });
  if (theirs.length === 0 && given.length === 0) return 0;
  writeForges(ledger, (sqlite) => {
    for (const { source, address } of given) {
      sqlite.execute`
        DELETE FROM spelling WHERE source = ${source} AND address = ${address}`;
    }
    for (const { source, number, login } of theirs) {
      deselect(ledger, source, login);
      removeAccount(ledger, source, number);
    }
  });
  cleanForges(ledger);
  return theirs.length + given.length;
}

function listOwners({ accounts, repositories }: ForgeContent): readonly KnownAccount[] {
  const known = new Set(accounts.map(({ source, number }) => `${source} ${number}`));
  const found = new Map<string, KnownAccount>();
  for (const repository of repositories) {
    const key = `${repository.source} ${repository.owner}`;
    if (repository.owner === undefined || known.has(key)) continue;
    found.set(key, toOwner(repository, repository));
  }
  return [...found.values()];
}

/** Removes selections that name the person. Also removes all unread steps of the walk, because they may name the person. */
function deselect({ sqlite }: ForgeLedger, source: string, login: string): void {
  const known = sqlite.readValue<string>`SELECT selections FROM source WHERE id = ${source}`;
  const before = JSON.parse(known ?? "[]") as ForgeSelection[];
  const isTheirs = (one: ForgeSelection) =>
    one.kind === "user" && one.name.toLowerCase() === login.toLowerCase();
  if (!before.some(isTheirs)) return;
  const selections = JSON.stringify(before.filter((one) => !isTheirs(one)));
  sqlite.execute`UPDATE source SET selections = ${selections} WHERE id = ${source}`;
  sqlite.execute`DELETE FROM step WHERE source = ${source}`;
}
