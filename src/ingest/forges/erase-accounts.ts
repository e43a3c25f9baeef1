/** Erases people from forges.db: their accounts, and everything about them. */
import { and, eq } from "drizzle-orm";
import { type AccountSubject, type KnownAccount, removeAccount, toOwner } from "./accounts.ts";
import type { ForgeSelection } from "./forge.ts";
import { type ForgeContent, readForgeContent } from "./forge-content.ts";
import { cleanForges, type ForgeLedger, writeForges } from "./forge-ledger.ts";
import { sources, spellings, steps } from "./tables.ts";

interface ForgottenPeople {
  readonly isTheirAccount: (account: AccountSubject) => boolean;
  /** In lower case. */
  readonly isTheirAddress: (address: string) => boolean;
}

/**
 * Erases accounts, everything about them, and what is known of addresses, and their bytes from the file.
 *
 * @returns how many accounts and addresses.
 */
export function eraseAccounts(
  ledger: ForgeLedger,
  { isTheirAccount, isTheirAddress }: ForgottenPeople,
): number {
  const content = readForgeContent(ledger);
  const forges = new Map(content.sources.map(({ id, forge }) => [id, forge]));
  const theirs = [...content.accounts, ...listOwners(content, forges)].filter(isTheirAccount);
  const given = content.commitAuthors.filter(({ source, address, owner }) => {
    const forge = forges.get(source) ?? "";
    const isOwned = typeof owner !== "string" && isTheirAccount({ forge, ...owner });
    return isOwned || isTheirAddress(address);
  });
  if (theirs.length === 0 && given.length === 0) return 0;
  writeForges(ledger, () => {
    for (const { source, address } of given) {
      ledger.orm
        .delete(spellings)
        .where(and(eq(spellings.source, source), eq(spellings.address, address)))
        .run();
    }
    for (const { source, number, login } of theirs) {
      deselect(ledger, source, login);
      removeAccount(ledger, source, number);
    }
  });
  cleanForges(ledger);
  return theirs.length + given.length;
}

/** Lists owners of repositories without an account here: it may have been left out of a walk, and they not. */
function listOwners(
  { accounts, repositories }: ForgeContent,
  forges: ReadonlyMap<string, string>,
): readonly KnownAccount[] {
  const known = new Set(accounts.map(({ source, number }) => `${source} ${number}`));
  const found = new Map<string, KnownAccount>();
  for (const repository of repositories) {
    const { source, owner } = repository;
    const key = `${source} ${owner}`;
    if (owner === undefined || known.has(key)) continue;
    found.set(key, toOwner(repository, { source, forge: forges.get(source) ?? "" }));
  }
  return [...found.values()];
}

/** Removes a selection that names the person, and the open steps of the walk, which may name the person too. */
function deselect({ orm }: ForgeLedger, source: string, login: string): void {
  const known = orm.select().from(sources).where(eq(sources.id, source)).get();
  if (!known) return;
  const isTheirs = (one: ForgeSelection) =>
    one.kind === "user" && one.name.toLowerCase() === login.toLowerCase();
  const selections = known.selections.filter((one) => !isTheirs(one));
  if (selections.length === known.selections.length) return;
  orm.update(sources).set({ selections }).where(eq(sources.id, source)).run();
  orm.delete(steps).where(eq(steps.source, source)).run();
}
