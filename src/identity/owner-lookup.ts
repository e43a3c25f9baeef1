/** Finds the people that ownership files name by account or address. */
import type { StatedOwner } from "../contract/people/ownership-rule.ts";

/**
 * Finds the person of an owner. An account of the repository's own forge is tried first, then the login on any forge, because the
 * files of a mirror name accounts of the original forge.
 *
 * @param forge host of the repository's forge; undefined if unknown.
 * @param findOnly finds the only person with a key: an address, an account such as `github.com/ada`, or a login of any forge such
 *   as `@ada`, in lower case.
 * @returns undefined if the owner matches no one or several people.
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
