/** What everybody is called: by an account of a forge, else by an e-mail. */

import { createHash } from "node:crypto";
import { deriveLogin, toLoginStem } from "../../../identity/derived-login.ts";
import type { AuthorIdentity, Person } from "./author-identity.ts";

export interface NamedPerson {
  readonly person: Person;
  readonly login: string;
  /** No account of a forge is known. */
  readonly derived: boolean;
}

/** Gives everybody a login of his own; GitHub's names go first, another forge's twin carries `@host`. */
export function assignLogins(people: readonly Person[]): readonly NamedPerson[] {
  const taken = new Set<string>();
  const named = new Map<Person, NamedPerson>();
  const claims = people.flatMap((person) => {
    const [account] = [...person.accounts].sort(byForge);
    return account ? [{ person, account }] : [];
  });
  claims.sort((a, b) => byForge(a.account, b.account));
  for (const { person, account } of claims) {
    const plain = asLogin(account.login);
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
    // Strangers behind one generic address: only the whole spelling tells them apart.
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

/** `name[bot]` is a login on GitHub, but no login of the API's form. */
function asLogin(login: string): string {
  return login.replace(/\[bot\]$/, "-bot").slice(0, 100);
}

/** The spelling of the earliest commit: more history from one repository does not change it. */
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
