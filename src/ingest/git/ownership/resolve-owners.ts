/** Resolves the owners that a repository's ownership files name to people of all histories. */
import type { KnownRule, RepositoryOwnership } from "../../../contract/people/ownership-rule.ts";
import { findOwner } from "../../../identity/owner-lookup.ts";
import type { KnownOwnership } from "../../../pool/pool.ts";
import type { KnownPeople, StoredPerson } from "../ledger/known-people.ts";

interface StatedOwnership {
  /** Absent where the repository has no such file. */
  readonly ownership: RepositoryOwnership | undefined;
  /** Host of the repository's forge, which has the accounts that its rules name; undefined when it is not known. */
  readonly forge: string | undefined;
  /** Numbers of the authors of people without an account. */
  readonly accountless: readonly number[];
}

/** @returns a function for one repository after the other. */
export function createOwnershipResolver(
  people: Pick<KnownPeople, "holdersOf" | "find">,
): (stated: StatedOwnership) => KnownOwnership {
  const findOnly = (key: string): StoredPerson | undefined => {
    const [id, ...others] = people.holdersOf(key);
    return id !== undefined && others.length === 0 ? people.find(id) : undefined;
  };
  return ({ ownership, forge, accountless }) => {
    const rules = (ownership?.rules ?? []).map((rule): KnownRule => {
      const owners = rule.owners.flatMap((owner) => {
        const person = findOwner(owner, forge, findOnly);
        if (!person) return [owner];
        if (person.class !== "human") return [];
        return [{ ...owner, person: person.login.toLowerCase() }];
      });
      return { ...rule, owners };
    });
    const hasLogins = rules.some(({ owners }) => owners.some((owner) => "login" in owner));
    return { rules, accountless: hasLogins ? accountless : [] };
  };
}
