/** Finds the people that ownership files name by account or address. */
import type { StatedOwner } from "../contract/people/ownership-rule.ts";

/**
 * An account of the repository's own forge is meant first; a mirror elsewhere still names those of its origin.
 *
 * @param forge host of the repository's forge, which has the accounts that its rules name; undefined when it is not known.
 * @param findOnly finds the only person who has a key: an address, an account as `github.com/ada`, or a login of any forge as
 *   `@ada`, in small letters.
 * @returns undefined when the owner means nobody or could mean several.
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
