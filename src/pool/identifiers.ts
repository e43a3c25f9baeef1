/**
 * Identifiers tell an erasure which records belong to the same person. An address that several people use (`root@localhost`) is
 * no identifier, because an erasure by it would erase strangers.
 */
import type { Facts, Supplement } from "../contract/people/facts.ts";
import {
  isGenericAddress,
  isUnusableAddress,
  normaliseAddress,
  parseNoreplyAddress,
} from "../identity/address.ts";
import { deriveLogin } from "../identity/derived-login.ts";

/** For example `login:ada`, `email:ada@a.com`, `account:github.com#12`, `account:github.com/ada`, `author:Ada <list@a.com>`. */
export type Identifier = `${"login" | "email" | "account" | "author"}:${string}`;

/** A key by which rows are found: an identifier, or a people file with an entry about the person (`list:people:hr`). */
export type Sought = Identifier | `list:${string}`;

/** Returns a login for comparison. Logins ignore case (decision 8). */
export function toLoginKey(login: string): string {
  return login.toLowerCase();
}

/** @returns each identifier once. Former logins are left out, because another developer may have such a login now. */
export function listIdentifiers(facts: Facts): readonly Identifier[] {
  const { source, profile, accounts = [] } = facts;
  const [, host, login] = profileForm.exec(profile.profileUrl ?? "") ?? [];
  const found = new Set<Identifier>([
    ...listLoginIdentifiers(facts.login),
    ...(hostForm.test(source) ? [accountOf(source, facts.login)] : []),
    ...(host && login ? [accountOf(host, login)] : []),
    ...accounts.flatMap((one) => [
      accountOf(one.forge, one.login),
      `account:${one.forge.toLowerCase()}#${one.id}` as const,
    ]),
    ...facts.emails.flatMap(({ address }) => listAddressIdentifiers(address)),
    ...(facts.supplements ?? []).flatMap(listSupplementIdentifiers),
  ]);
  return [...found];
}

/** Returns the identifiers that the suppression list stores for an erased person. They include former logins. */
export function listStoredIdentifiers(facts: Facts): readonly Identifier[] {
  const former = (facts.formerLogins ?? []).flatMap(listLoginIdentifiers);
  return [...new Set([...listIdentifiers(facts), ...former])];
}

/**
 * Returns the keys by which a row is found. The pool stores their hashes, so a change of the keys needs a migration that puts all
 * rows into `unlisted_row`.
 */
export function listSought(facts: Facts): readonly Sought[] {
  return [...listIdentifiers(facts), ...(facts.supplements ?? []).map(toSoughtList)];
}

/** @param source the source of a people file, such as `people:hr`. */
export function toSoughtList({ source }: Pick<Supplement, "source">): Sought {
  return `list:${source}`;
}

/** Returns the identifiers in a row of a people file. */
export function listSupplementIdentifiers({
  logins,
  emails,
}: Pick<Supplement, "logins" | "emails">): readonly Identifier[] {
  return [
    ...logins.flatMap(listLoginIdentifiers),
    ...emails.flatMap(({ address }) => listAddressIdentifiers(address)),
  ];
}

/** Returns the logins and all names from all sources. The reason of an erasure must not contain them. */
export function listNames(facts: Facts): readonly string[] {
  const { login, formerLogins = [], profile, otherNames = [], supplements = [] } = facts;
  const stated = [profile.name, ...supplements.map((each) => each.profile.name)];
  const names = [login, ...formerLogins, ...stated, ...otherNames];
  return names.filter((name) => name !== undefined && name !== "") as string[];
}

function accountOf(host: string, login: string): Identifier {
  return `account:${host.toLowerCase()}/${toLoginKey(login)}`;
}

/** @package Returns the identifiers of a login. A login with a host (`ada@github.com`) also names the account on the host. */
export function listLoginIdentifiers(login: string): readonly Identifier[] {
  const [name, host] = toLoginKey(login).split("@");
  return [`login:${toLoginKey(login)}`, ...(host ? [`account:${host}/${name}` as const] : [])];
}

/** @returns no identifiers for an address that several people use. */
export function listAddressIdentifiers(address: string): readonly Identifier[] {
  const email = normaliseAddress(address);
  if (isGenericAddress(email)) return [];
  const account = parseNoreplyAddress(email);
  if (!account) return [`email:${email}`];
  const { forge, login, id } = account;
  const named = `account:${forge}/${toLoginKey(login)}` as const;
  return [`email:${email}`, named, ...(id ? [`account:${forge}#${id}` as const] : [])];
}

/** Returns the identifiers of a commit author: the address, if only one person uses it, and the name with the address. */
export function listAuthorIdentifiers(author: NamedAddress): readonly Identifier[] {
  return [...listAddressIdentifiers(author.email), ...listNamedIdentifiers(author)];
}

/** Returns the identifiers that are made of name and address together. */
export function listNamedIdentifiers(author: NamedAddress): readonly Identifier[] {
  const { name, email } = author;
  return [
    ...(isUnusableAddress(author) ? listLoginIdentifiers(deriveLogin(author)) : []),
    ...(name === "" ? [] : [`author:${name} <${normaliseAddress(email)}>` as const]),
  ];
}

export interface NamedAddress {
  readonly name: string;
  readonly email: string;
}

const hostForm = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const profileForm = /^https?:\/\/([a-z0-9.-]+)\/([a-z0-9._-]{1,100})\/?$/i;
