/** Gives every person a login: from an account, or else from the address with most commits. */
import { formerLoginsMax } from "../../../contract/people/facts.ts";
import { type ForgeAccount, isRelayed } from "../../../identity/address.ts";
import { deriveLogin, hashText, toLoginStem } from "../../../identity/derived-login.ts";
import { compareForges } from "../../forges/forge-people.ts";
import { type AuthorIdentity, compareKeys, type Person } from "./author-identity.ts";

export interface NamedPerson {
  readonly person: Person;
  readonly login: string;
  /** Whether the login was derived from an e-mail because no account is known. */
  readonly derived: boolean;
  /** Logins that no other person has or had, in code-unit order. */
  readonly formerLogins: readonly string[];
}

type Named = Omit<NamedPerson, "formerLogins">;

/** Assigns unique logins, to accounts on GitHub first. The same login on another forge gets `@host` added. */
export function assignLogins(people: readonly Person[]): readonly NamedPerson[] {
  const taken = new Set<string>();
  const named = new Map<Person, Named>();
  const claims = people.flatMap((person) => {
    const [account] = [...person.accounts].sort(byForge);
    return account ? [{ person, account }] : [];
  });
  claims.sort((a, b) => byForge(a.account, b.account));
  for (const { person, account } of claims) {
    const plain = toLogin(account.login);
    const login = isTaken(plain) ? toNamesake(plain, account) : plain;
    named.set(person, { person, login: claim(login), derived: false });
  }
  for (const person of people) {
    if (!named.has(person)) named.set(person, { person, login: derive(person), derived: true });
  }
  return addFormerLogins(people.flatMap((person) => named.get(person) ?? []));

  function isTaken(login: string): boolean {
    return taken.has(login.toLowerCase());
  }
  function claim(login: string): string {
    taken.add(login.toLowerCase());
    return login;
  }
  function derive(person: Person): string {
    const main = findMainIdentity(person);
    const short = deriveLogin(main);
    if (!isTaken(short)) return claim(short);
    // Adds digits of a hash of the identity, because another person has the short login.
    const digest = hashText(main.key);
    for (let length = 6; length <= digest.length; length += 2) {
      const login = `${toLoginStem(main)}-${digest.slice(0, length)}`;
      if (!isTaken(login)) return claim(login);
    }
    throw new Error("Two people of one spelling.");
  }
}

/** Adds former logins. Leaves out a login that another person has or had. */
function addFormerLogins(named: readonly Named[]): readonly NamedPerson[] {
  const current = new Map(named.map(({ login, person }) => [login.toLowerCase(), person]));
  const isOthers = (login: string, person: Person): boolean =>
    (current.get(login.toLowerCase()) ?? person) !== person;
  const alone = named.map(({ person }) => {
    const isTaken = (login: string) => isOthers(login, person);
    const logins = person.identities.flatMap((one) => listLoginsAlone(one, isTaken));
    const free = logins.filter((login) => !isTaken(login));
    return new Map(free.map((login) => [login.toLowerCase(), login]));
  });
  const keys = alone.flatMap((logins) => [...logins.keys()]);
  const bearers = Map.groupBy(keys, (key) => key);
  return named.map((one, at) => {
    const own = [...(alone[at] ?? [])]
      .filter(([key]) => key !== one.login.toLowerCase() && bearers.get(key)?.length === 1)
      .map(([, login]) => login);
    return { ...one, formerLogins: own.sort().slice(0, formerLoginsMax) };
  });
}

/**
 * Lists the logins that an author identity would get if it were a person of its own.
 * @param isOthers whether another person has a login. Such a login gets `@host` added.
 */
export function listLoginsAlone(
  identity: AuthorIdentity,
  isOthers: (login: string) => boolean = () => false,
): readonly string[] {
  const { account, name, email, rawEmail } = identity;
  if (account) {
    const plain = toLogin(account.login);
    const former = (identity.persona?.formerLogins ?? []).map(toLogin);
    return [isOthers(plain) ? toNamesake(plain, account) : plain, ...former];
  }
  return [...new Set([email, rawEmail])].map((address) => deriveLogin({ name, email: address }));
}

function byForge(a: ForgeAccount, b: ForgeAccount): number {
  const [left, right] = [a.login, b.login];
  return compareForges(a.forge, b.forge) || (left < right ? -1 : left > right ? 1 : 0);
}

/** Adds the host of the forge to a login, for example `ada@example.com`. */
export function toNamesake(login: string, { forge }: ForgeAccount): string {
  return `${login}@${forge.split(/[:/]/, 1)[0]}`;
}

/** Replaces `[bot]` by `-bot`, because `name[bot]` is not valid in the API. */
function toLogin(login: string): string {
  return login.replace(/\[bot\]$/, "-bot").slice(0, 100);
}

export function findEarliestIdentity(person: Person): AuthorIdentity {
  const [first] = [...person.identities].sort(byAge);
  if (!first) throw new Error("A person without an author identity.");
  return first;
}

/** Finds the identity whose derived login has most commits. Addresses of mailing lists and bridges come last. */
function findMainIdentity(person: Person): AuthorIdentity {
  const commitsOf = new Map<string, number>();
  for (const identity of person.identities) {
    const login = deriveLogin(identity);
    commitsOf.set(login, (commitsOf.get(login) ?? 0) + identity.commits);
  }
  const weight = (identity: AuthorIdentity) => commitsOf.get(deriveLogin(identity)) ?? 0;
  const own = person.identities.filter(({ name }) => !isRelayed(name));
  const candidates = own.length > 0 ? own : person.identities;
  const [main] = [...candidates].sort((a, b) => weight(b) - weight(a) || byAge(a, b));
  if (!main) throw new Error("A person without an author identity.");
  return main;
}

function byAge(a: AuthorIdentity, b: AuthorIdentity): number {
  return a.first - b.first || compareKeys(a, b);
}
