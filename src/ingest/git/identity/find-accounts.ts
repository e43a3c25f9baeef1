import type { ForgeAccount } from "../../../identity/address.ts";
import type { AuthorIdentity } from "./people.ts";

/**
 * The account behind each author identity, as `forge#number` or `forge/login`. The number names it even after
 * its login changed; the old form of address has none and means the account of that login, where there is one.
 */
export function findAccounts(
  identities: readonly AuthorIdentity[],
): ReadonlyMap<AuthorIdentity, string> {
  const numbers = new Map<string, Set<string>>();
  for (const { account } of identities) {
    if (!account?.id) continue;
    const login = loginKey(account);
    numbers.set(login, (numbers.get(login) ?? new Set()).add(account.id));
  }
  const found = new Map<AuthorIdentity, string>();
  for (const identity of identities) {
    const { account } = identity;
    if (!account) continue;
    const known = numbers.get(loginKey(account));
    const id = account.id ?? (known?.size === 1 ? [...known][0] : undefined);
    found.set(identity, id ? `${account.forge}#${id}` : loginKey(account));
  }
  return found;
}

function loginKey(account: ForgeAccount): string {
  return `${account.forge}/${account.login.toLowerCase()}`;
}
