/** Gives every person a login: from an account of a forge, or else from an e-mail. */

import { createHash } from "node:crypto";
import { deriveLogin, toLoginStem } from "../../../identity/derived-login.ts";
import type { AuthorIdentity, Person } from "./author-identity.ts";

export interface NamedPerson {
  readonly person: Person;
  readonly login: string;
  /** Whether the login was derived from an e-mail, since no account of a forge is known. */
  readonly derived: boolean;
}

/** Assigns unique logins. GitHub's accounts come first; a login that another forge also has gets `@host`. */
export function assignLogins(people: readonly Person[]): readonly NamedPerson[] {
  const taken = new Set<string>();
  const named = new Map<Person, NamedPerson>();
  const claims = people.flatMap((person) => {
    const [account] = [...person.accounts].sort(byForge);
    return account ? [{ person, account }] : [];
  });
  claims.sort((a, b) => byForge(a.account, b.account));
  for (const { person, account } of claims) {
    const plain = toLogin(account.login);
    const login = isTaken(plain) ? `${plain}@${account.forge}` : plain;
    named.set(person, { person, login: claim(login), derived: false });
  }
  for (const person of people) {
    if (!named.has(person)) named.set(person, { person, login: derive(person), derived: true });
  }
  return people.flatMap((person) => named.get(person) ?? []);

  function isTaken(login: string): boolean {
    return taken.has(login.toLowerCase());
  }
  function claim(login: string): string {
    taken.add(login.toLowerCase());
    return login;
  }
  function derive(person: Person): string {
    const first = findEarliestIdentity(person);
    const short = deriveLogin(first);
    if (!isTaken(short)) return claim(short);
    // Several people share a generic address: only the whole author identity distinguishes them.
    const digest = hash(first.key);
    for (let length = 6; length <= digest.length; length += 2) {
      const login = `${toLoginStem(first)}-${digest.slice(0, length)}`;
      if (!isTaken(login)) return claim(login);
    }
    throw new Error("Two people of one spelling.");
  }
}

function byForge(
  a: { readonly forge: string; readonly login: string },
  b: { readonly forge: string; readonly login: string },
): number {
  const rank = (forge: string): string => (forge === "github.com" ? "" : forge);
  const [left, right] = [`${rank(a.forge)}/${a.login}`, `${rank(b.forge)}/${b.login}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `name[bot]` is a login on GitHub, but not a valid login in the API. */
function toLogin(login: string): string {
  return login.replace(/\[bot\]$/, "-bot").slice(0, 100);
}

/** The author identity of the earliest commit, which later commits do not change. */
export function findEarliestIdentity(person: Person): AuthorIdentity {
  const [first] = [...person.identities].sort(byAge);
  if (!first) throw new Error("A person without an author identity.");
  return first;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function byAge(a: AuthorIdentity, b: AuthorIdentity): number {
  return a.first - b.first || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}
