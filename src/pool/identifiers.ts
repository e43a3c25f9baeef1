/**
 * What tells that two records are of one person, as far as an erasure goes: the login, each address that
 * is nobody else's, and the forge accounts behind them. An address that several people use (root@, a
 * localhost) proves nothing, and would hide strangers.
 */

import type { Facts } from "../contract/people/facts.ts";
import {
  isGenericAddress,
  isUnusableAddress,
  normaliseAddress,
  parseNoreplyAddress,
} from "../identity/address.ts";
import { deriveLogin } from "../identity/derived-login.ts";

/** `login:ada`, `email:ada@example.com`, `account:github.com#12`, `account:github.com/ada`. */
export type Identifier = `${"login" | "email" | "account"}:${string}`;

/** Logins compare without case (decision 8); they are ASCII, so this is all it takes. */
export function toLoginKey(login: string): string {
  return login.toLowerCase();
}

/** @returns each once. */
export function listIdentifiers(facts: Facts): readonly Identifier[] {
  const found = new Set<Identifier>(hashLogin(facts.login));
  const { source, profile } = facts;
  if (hostForm.test(source))
    found.add(`account:${source.toLowerCase()}/${toLoginKey(facts.login)}`);
  const [, host, login] = profileForm.exec(profile.profileUrl ?? "") ?? [];
  if (host && login) found.add(`account:${host.toLowerCase()}/${toLoginKey(login)}`);
  for (const { address } of facts.emails) {
    for (const identifier of hashAddress(address)) found.add(identifier);
  }
  return [...found];
}

/** @package `login@host` is how the second of two forges' namesakes is called. */
export function hashLogin(login: string): readonly Identifier[] {
  const [name, host] = toLoginKey(login).split("@");
  return [`login:${toLoginKey(login)}`, ...(host ? [`account:${host}/${name}` as const] : [])];
}

/** @returns none for an address that several people use. */
export function hashAddress(address: string): readonly Identifier[] {
  const email = normaliseAddress(address);
  if (isGenericAddress(email)) return [];
  const account = parseNoreplyAddress(email);
  if (!account) return [`email:${email}`];
  const { forge, login, id } = account;
  const named = `account:${forge}/${toLoginKey(login)}` as const;
  return [`email:${email}`, named, ...(id ? [`account:${forge}#${id}` as const] : [])];
}

/** Of an address that several people use, and its name, what somebody with that spelling alone is called. */
export function hashNameAndAddress(spelling: {
  readonly name: string;
  readonly email: string;
}): readonly Identifier[] {
  return [
    ...hashAddress(spelling.email),
    ...(isUnusableAddress(spelling) ? hashLogin(deriveLogin(spelling)) : []),
  ];
}

const hostForm = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const profileForm = /^https?:\/\/([a-z0-9.-]+)\/([a-z0-9._-]{1,100})\/?$/i;
