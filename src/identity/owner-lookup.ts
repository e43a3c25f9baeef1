/** Finds the people whom ownership files name by account or address. */
import type { StatedOwner } from "../contract/people/ownership-rule.ts";

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
