/** Erases people from forges.db: their accounts, and everything about them. */
import { and, eq } from "drizzle-orm";
import type { Database } from "../../sqlite/database.ts";
import { removeAccount } from "./account-rows.ts";
import type { ForgeSelection } from "./forge.ts";
import type { ForgeContent, ForgeLedger, KnownAccount } from "./forge-ledger.ts";
import { sources, spellings, steps } from "./tables.ts";
import { toOwner } from "./walk-rows.ts";

/** @package @returns how many accounts and addresses. Their bytes may remain in freed pages. */
export function eraseAccounts(
  store: Database,
  content: ForgeContent,
  { isTheirAccount, isTheirAddress }: Parameters<ForgeLedger["erase"]>[0],
): number {
  const { orm, sqlite } = store;
  const theirs = [...content.accounts(), ...listOwners(content)].filter(isTheirAccount);
  const told = content.sources().flatMap(({ id, forge }) =>
    [...content.commitAuthors(id)].flatMap(([address, { owner }]) => {
      const isOwned = typeof owner !== "string" && isTheirAccount({ forge, ...owner });
      return isOwned || isTheirAddress(address) ? [{ source: id, address }] : [];
    }),
  );
  if (theirs.length === 0 && told.length === 0) return 0;
  const change = () => {
    for (const { source, address } of told) {
      orm
        .delete(spellings)
        .where(and(eq(spellings.source, source), eq(spellings.address, address)))
        .run();
    }
    for (const { source, number, login } of theirs) {
      deselect(store, source, login);
      removeAccount(orm, source, number);
    }
  };
  sqlite.transact(change);
  return theirs.length + told.length;
}

/** Lists owners of repositories without an account here: it may have been left out of a walk, and they not. */
function listOwners(content: ForgeContent): readonly KnownAccount[] {
  const forgeOf = new Map(content.sources().map(({ id, forge }) => [id, forge]));
  const known = new Set(content.accounts().map(({ source, number }) => `${source} ${number}`));
  const found = new Map<string, KnownAccount>();
  for (const repository of content.repositories()) {
    const { source, owner } = repository;
    const key = `${source} ${owner}`;
    if (owner === undefined || known.has(key)) continue;
    found.set(key, toOwner(repository, { source, forge: forgeOf.get(source) ?? "" }));
  }
  return [...found.values()];
}

/** Removes a selection that names the person, and the open steps of the walk, which may name the person too. */
function deselect({ orm }: Database, source: string, login: string): void {
  const known = orm.select().from(sources).where(eq(sources.id, source)).get();
  if (!known) return;
  const isTheirs = (one: ForgeSelection) =>
    one.kind === "user" && one.name.toLowerCase() === login.toLowerCase();
  const selections = known.selections.filter((one) => !isTheirs(one));
  if (selections.length === known.selections.length) return;
  orm.update(sources).set({ selections }).where(eq(sources.id, source)).run();
  orm.delete(steps).where(eq(steps.source, source)).run();
}
