/**
 * Identifiers show an erasure which records are of the same person: the login, each address that only one
 * person uses, and the forge accounts behind them. An address that several people use (root@, a localhost)
 * proves nothing, and would erase strangers.
 */

import type { Facts, Supplement } from "../contract/people/facts.ts";
import {
  isGenericAddress,
  isUnusableAddress,
  normaliseAddress,
  parseNoreplyAddress,
} from "../identity/address.ts";
import { deriveLogin } from "../identity/derived-login.ts";

/** `login:ada`, `email:ada@example.com`, `account:github.com#12`, `account:github.com/ada`, `author:Ada <list@example.com>`. */
export type Identifier = `${"login" | "email" | "account" | "author"}:${string}`;

/** By what rows are sought: an identifier, or a list that says something of the person (`list:people:hr`). */
export type Sought = Identifier | `list:${string}`;

/** Logins are compared ignoring case (decision 8). They are ASCII, so lower case is enough. */
export function toLoginKey(login: string): string {
  return login.toLowerCase();
}

/**
 * @returns each identifier once, those that only a people file tells included, without former logins: another developer
 *   may have one now, and is then somebody else.
 */
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

/** What the suppression list keeps of a person, and asks of everybody who comes in: former logins included. */
export function listKeptIdentifiers(facts: Facts): readonly Identifier[] {
  const former = (facts.formerLogins ?? []).flatMap(listLoginIdentifiers);
  return [...new Set([...listIdentifiers(facts), ...former])];
}

/**
 * By what a row is found. The pool stores hashes of them: if other ones ever follow from the same facts, a migration must put
 * all rows among the unlisted ones again.
 */
export function listSought(facts: Facts): readonly Sought[] {
  return [...listIdentifiers(facts), ...(facts.supplements ?? []).map(toSoughtList)];
}

/** @param source of the list, `people:hr`. */
export function toSoughtList({ source }: Pick<Supplement, "source">): Sought {
  return `list:${source}`;
}

/** The identifiers by which a people file's row means a person. */
export function listSupplementIdentifiers({
  logins,
  emails,
}: Pick<Supplement, "logins" | "emails">): readonly Identifier[] {
  return [
    ...logins.flatMap(listLoginIdentifiers),
    ...emails.flatMap(({ address }) => listAddressIdentifiers(address)),
  ];
}

/** The logins, and every name that a source gives: what a reason must not contain. */
export function listNames(facts: Facts): readonly string[] {
  const { login, formerLogins = [], profile, otherNames = [], supplements = [] } = facts;
  const stated = [profile.name, ...supplements.map((each) => each.profile.name)];
  const names = [login, ...formerLogins, ...stated, ...otherNames];
  return names.filter((name) => name !== undefined && name !== "") as string[];
}

function accountOf(host: string, login: string): Identifier {
  return `account:${host.toLowerCase()}/${toLoginKey(login)}`;
}

/** @package A login `login@host` belongs to the second of two namesakes, and names their account on `host`. */
export function listLoginIdentifiers(login: string): readonly Identifier[] {
  const [name, host] = toLoginKey(login).split("@");
  return [`login:${toLoginKey(login)}`, ...(host ? [`account:${host}/${name}` as const] : [])];
}

/** @returns none for an address that several people use. */
export function listAddressIdentifiers(address: string): readonly Identifier[] {
  const email = normaliseAddress(address);
  if (isGenericAddress(email)) return [];
  const account = parseNoreplyAddress(email);
  if (!account) return [`email:${email}`];
  const { forge, login, id } = account;
  const named = `account:${forge}/${toLoginKey(login)}` as const;
  return [`email:${email}`, named, ...(id ? [`account:${forge}#${id}` as const] : [])];
}

/** By what an author of commits is known: the address if one person uses it, and always name and address together. */
export function listAuthorIdentifiers(author: NamedAddress): readonly Identifier[] {
  return [...listAddressIdentifiers(author.email), ...listNamedIdentifiers(author)];
}

/** By what an author is known whose address several people use: name and address together, and the login derived from both. */
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
