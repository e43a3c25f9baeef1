import type { AuthorClass } from "../../../contract/people/facts.ts";
import type {
  KnownRule,
  OwnershipRule,
  StatedOwner,
} from "../../../contract/people/ownership-rule.ts";

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

/**
 * Finds the person of an owner. An account of the repository's own forge is tried first, and then the login on any forge.
 * @param forge host of the repository's forge. Undefined means unknown.
 * @param findOnly finds the only person with a key in lower case: an address, an account `github.com/ada`, or a login `@ada`.
 * @returns undefined if the owner is unknown or may be several people.
 */
export function findOwner<Person>(
  owner: StatedOwner,
  forge: string | undefined,
  findOnly: (key: string) => Person | undefined,
): Person | undefined {
  if ("email" in owner) return findOnly(owner.email.toLowerCase());
  if (!("login" in owner)) return undefined;
  const login = owner.login.toLowerCase();
  return findOnly(`${forge}/${login}`.toLowerCase()) ?? findOnly(`@${login}`);
}
