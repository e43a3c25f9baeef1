/**
 * What tells that two records are of one person, as far as an erasure goes: the login, each address that
 * is nobody else's, and the forge accounts behind them. An address that several people use (root@, a
 * localhost) proves nothing, and would hide strangers.
 */
import {
  isGeneric,
  isNobodys,
  normaliseAddress,
  readNoreply,
} from "../../contract/facts/address.ts";
import { derivedLogin } from "../../contract/facts/derived-login.ts";
import type { Facts } from "../../contract/facts/facts.ts";
import { loginKey } from "../reading.ts";

/** `login:ada`, `email:ada@example.com`, `account:github.com#12`, `account:github.com/ada`. */
export type Identifier = `${"login" | "email" | "account"}:${string}`;

/** @returns each once. */
export function identifiersOf(facts: Facts): readonly Identifier[] {
  const found = new Set<Identifier>(ofLogin(facts.login));
  const { source, profile } = facts;
  if (hostForm.test(source)) found.add(`account:${source.toLowerCase()}/${loginKey(facts.login)}`);
  const [, host, login] = profileForm.exec(profile.profileUrl ?? "") ?? [];
  if (host && login) found.add(`account:${host.toLowerCase()}/${loginKey(login)}`);
  for (const { address } of facts.emails) {
    for (const identifier of ofAddress(address)) found.add(identifier);
  }
  return [...found];
}

/** @package `login@host` is how the second of two forges' namesakes is called. */
export function ofLogin(login: string): readonly Identifier[] {
  const [name, host] = loginKey(login).split("@");
  return [`login:${loginKey(login)}`, ...(host ? [`account:${host}/${name}` as const] : [])];
}

/** @returns none for an address that several people use. */
export function ofAddress(address: string): readonly Identifier[] {
  const email = normaliseAddress(address);
  if (isGeneric(email)) return [];
  const account = readNoreply(email);
  if (!account) return [`email:${email}`];
  const { forge, login, id } = account;
  const named = `account:${forge}/${loginKey(login)}` as const;
  return [`email:${email}`, named, ...(id ? [`account:${forge}#${id}` as const] : [])];
}

/** Of an address that several people use, and its name, what somebody with that spelling alone is called. */
export function ofSpelling(spelling: {
  readonly name: string;
  readonly email: string;
}): readonly Identifier[] {
  return [
    ...ofAddress(spelling.email),
    ...(isNobodys(spelling) ? ofLogin(derivedLogin(spelling)) : []),
  ];
}

const hostForm = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const profileForm = /^https?:\/\/([a-z0-9.-]+)\/([a-z0-9._-]{1,100})\/?$/i;
