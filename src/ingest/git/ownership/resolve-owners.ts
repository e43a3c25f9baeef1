import type { AuthorClass } from "../../../contract/people/facts.ts";
import type { KnownRule, OwnershipRule } from "../../../contract/people/ownership-rule.ts";
import { findOwner } from "../../../identity/owner-lookup.ts";

export interface OwnerLookup {
  /** Finds people with one of the keys that `findOwner` asks for. */
  holdersOf(key: string): readonly { readonly login: string; readonly class: AuthorClass }[];
}

/** Resolves the owners in ownership files to people. @param forge host of the repository's forge, if known. */
export function resolveOwners(
  rules: readonly OwnershipRule[],
  forge: string | undefined,
  people: OwnerLookup,
): readonly KnownRule[] {
  const findOnly = (key: string) => {
    const [person, ...others] = people.holdersOf(key);
    return others.length === 0 ? person : undefined;
  };
  return rules.map((rule) => {
    const owners = rule.owners.flatMap((owner) => {
      const person = findOwner(owner, forge, findOnly);
      if (!person) return [owner];
      if (person.class !== "human") return [];
      return [{ ...owner, person: person.login.toLowerCase() }];
    });
    return { ...rule, owners };
  });
}
