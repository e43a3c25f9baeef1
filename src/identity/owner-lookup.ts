/** Finds the people that ownership files name by account or address. */
import type { StatedOwner } from "../contract/people/ownership-rule.ts";

/** A person that a rule may name. */
export interface OwnerCandidate {
  readonly login: string;
  /** As `github.com/ada`. */
  readonly accounts: readonly string[];
  readonly emails: Iterable<string>;
}

/**
 * @param forge host of the repository's forge, which has the accounts that its rules name; undefined when it is not known.
 * @returns the login of the person that an owner means; undefined when it means no one or could mean several.
 */
export type OwnerLookup = (owner: StatedOwner, forge: string | undefined) => string | undefined;

/** An account of the repository's own forge is meant first; a mirror elsewhere still names those of its origin. */
export function createOwnerLookup(people: Iterable<OwnerCandidate>): OwnerLookup {
  const found = new Map<string, Set<string>>();
  const add = (key: string, login: string): void => {
    const folded = key.toLowerCase();
    const known = found.get(folded);
    if (known) known.add(login);
    else found.set(folded, new Set([login]));
  };
  for (const { login, accounts, emails } of people) {
    for (const account of accounts) {
      add(account, login);
      add(`@${account.slice(account.indexOf("/") + 1)}`, login);
    }
    for (const email of emails) add(email, login);
  }
  const only = (key: string): string | undefined => {
    const [login, ...others] = found.get(key.toLowerCase()) ?? [];
    return others.length === 0 ? login : undefined;
  };
  return (owner, forge) => {
    if ("email" in owner) return only(owner.email);
    if (!("login" in owner)) return undefined;
    return only(`${forge}/${owner.login}`) ?? only(`@${owner.login}`);
  };
}
