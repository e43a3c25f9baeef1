/** Resolves the owners that a repository's ownership files name to people of all histories. */
import type { KnownRule, RepositoryOwnership } from "../../../contract/people/ownership-rule.ts";
import { createOwnerLookup } from "../../../identity/owner-lookup.ts";
import type { KnownOwnership } from "../../../pool/pool.ts";
import type { Community } from "../identify-people.ts";
import type { AuthorIdentity } from "../identity/author-identity.ts";

interface StatedOwnership {
  /** Absent where the repository has no such file. */
  readonly ownership: RepositoryOwnership | undefined;
  readonly forge: string | undefined;
  /** The authors of the repository, by number. */
  readonly authors: readonly AuthorIdentity[];
}

/** @returns a function for one repository after the other. */
export function createOwnershipResolver({
  everybody,
}: Pick<Community, "everybody">): (stated: StatedOwnership) => KnownOwnership {
  const find = createOwnerLookup(
    everybody.map(({ login, person: { accounts, addresses } }) => ({
      login,
      accounts: accounts.map((account) => `${account.forge}/${account.login}`),
      emails: addresses,
    })),
  );
  const bots = new Set(
    everybody.filter(({ person }) => person.classified.class !== "human").map(({ login }) => login),
  );
  const accountless = new Set(
    everybody.flatMap(({ person }) => (person.accounts.length === 0 ? person.identities : [])),
  );
  return ({ ownership, forge, authors }) => {
    const rules = (ownership?.rules ?? []).map((rule): KnownRule => {
      const owners = rule.owners.flatMap((owner) => {
        const login = find(owner, forge);
        if (login === undefined) return [owner];
        return bots.has(login) ? [] : [{ ...owner, person: login.toLowerCase() }];
      });
      return { ...rule, owners };
    });
    const hasLogins = rules.some(({ owners }) => owners.some((owner) => "login" in owner));
    const hidden = hasLogins
      ? authors.flatMap((author, number) => (accountless.has(author) ? [number] : []))
      : [];
    return { rules, accountless: hidden };
  };
}
