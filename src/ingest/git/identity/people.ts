/**
 * Brings the spellings of one person together. Order of evidence: the mailmap (git has applied it),
 * an account named by a noreply address, the same commit, the same e-mail that is not generic.
 * Never: two accounts of one forge, a bot or assistant with a human. A name alone merges nobody.
 */

import type { ForgeAccount } from "../../../contract/facts/address.ts";
import type { Classified } from "./author-class.ts";

/** One spelling of an author: name and e-mail after the mailmap, and the account behind it, if any. */
export interface Persona {
  /** Orders and names it the same way in every run. */
  readonly key: string;
  readonly name: string;
  readonly email: string;
  /** Addresses as commits spell them, normalised; the mailmapped one included. */
  readonly emails: Set<string>;
  readonly account: ForgeAccount | undefined;
  /** Non-merge commits, and the author date of the earliest and latest, in seconds. */
  commits: number;
  first: number;
  last: number;
  /** Repositories it is seen in. */
  readonly repositories: Set<string>;
  classified: Classified;
}

export interface Person {
  readonly personas: readonly Persona[];
  /** At most one of each forge. */
  readonly accounts: readonly ForgeAccount[];
  readonly classified: Classified;
}

/** Two people who may be one: for a human to decide. */
export interface Suggestion {
  readonly name: string;
  readonly keys: readonly [string, string];
  readonly reason: string;
}

export interface Evidence {
  /** Pairs of personas that author one and the same commit, in two repositories. */
  readonly sameCommit: readonly (readonly [Persona, Persona])[];
  /** E-mails that are no key. */
  readonly isGeneric: (email: string) => boolean;
}

/** @returns everybody once, ordered by key; the same for any order of `personas`. */
export function gatherPeople(
  personas: readonly Persona[],
  evidence: Evidence,
): { readonly people: readonly Person[]; readonly suggestions: readonly Suggestion[] } {
  const sorted = [...personas].sort(byWeight);
  const accountOf = nameAccounts(sorted);
  const groups = joinGroups(sorted, accountOf);
  const accounts = bySharedKey(sorted, (one) => accountOf.get(one) ?? []);
  for (const members of accounts.values()) joinAll(groups, members);
  for (const [a, b] of evidence.sameCommit) groups.join(a, b);
  const emails = bySharedKey(sorted, (one) => emailKeys(one, evidence.isGeneric));
  for (const email of [...emails.keys()].sort()) joinAll(groups, emails.get(email) ?? []);
  const people = groups.all();
  return { people, suggestions: suggest(people, evidence.isGeneric) };
}

const suggestionsMax = 1000;

/** Heaviest first: where accounts conflict, the heavier persona decides whom the shared e-mail joins. */
function byWeight(a: Persona, b: Persona): number {
  return b.commits - a.commits || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/**
 * The account behind each persona, as `forge#number` or `forge/login`. The number names it even after
 * its login changed; the old form of address has none and means the account of that login, where there is one.
 */
function nameAccounts(personas: readonly Persona[]): ReadonlyMap<Persona, string> {
  const numbers = new Map<string, Set<string>>();
  for (const { account } of personas) {
    if (!account?.id) continue;
    const login = loginKey(account);
    numbers.set(login, (numbers.get(login) ?? new Set()).add(account.id));
  }
  const found = new Map<Persona, string>();
  for (const persona of personas) {
    const { account } = persona;
    if (!account) continue;
    const known = numbers.get(loginKey(account));
    const id = account.id ?? (known?.size === 1 ? [...known][0] : undefined);
    found.set(persona, id ? `${account.forge}#${id}` : loginKey(account));
  }
  return found;
}

function loginKey(account: ForgeAccount): string {
  return `${account.forge}/${account.login.toLowerCase()}`;
}

function emailKeys(persona: Persona, isGeneric: (email: string) => boolean): string[] {
  return [...persona.emails].filter((email) => !isGeneric(email));
}

function bySharedKey(
  personas: readonly Persona[],
  keysOf: (persona: Persona) => string | readonly string[],
): Map<string, Persona[]> {
  const found = new Map<string, Persona[]>();
  for (const persona of personas) {
    for (const key of [keysOf(persona)].flat()) {
      const members = found.get(key);
      if (members) members.push(persona);
      else found.set(key, [persona]);
    }
  }
  return found;
}

interface Group {
  members: Persona[];
  /** Account key by forge. */
  readonly accounts: Map<string, string>;
}

function joinAll(groups: ReturnType<typeof joinGroups>, members: readonly Persona[]): void {
  // Each with each: where the first is refused for its account, a later one may still fit.
  for (let i = 1; i < members.length; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [members[j], members[i]];
      if (a && b && groups.join(a, b)) break;
    }
  }
}

function joinGroups(personas: readonly Persona[], accountOf: ReadonlyMap<Persona, string>) {
  const groupOf = new Map<Persona, Group>();
  for (const persona of personas) {
    const accounts = new Map<string, string>();
    const account = accountOf.get(persona);
    if (persona.account && account) accounts.set(persona.account.forge, account);
    groupOf.set(persona, { members: [persona], accounts });
  }
  return {
    /** @returns whether the two are now one; false when a never-rule forbids it. */
    join: (a: Persona, b: Persona): boolean => {
      let [into, from] = [groupOf.get(a), groupOf.get(b)];
      if (!into || !from) throw new Error("A persona of another run.");
      if (into === from) return true;
      if (a.classified.class !== b.classified.class || conflict(into, from)) return false;
      if (into.members.length < from.members.length) [into, from] = [from, into];
      for (const member of from.members) groupOf.set(member, into);
      into.members.push(...from.members);
      for (const [forge, key] of from.accounts) into.accounts.set(forge, key);
      return true;
    },
    all: (): Person[] =>
      [...new Set(groupOf.values())]
        .map(({ members }) => asPerson(members.sort(byWeight)))
        .sort((a, b) => (leadKey(a) < leadKey(b) ? -1 : 1)),
  };
}

function conflict(a: Group, b: Group): boolean {
  return [...a.accounts].some(([forge, key]) => (b.accounts.get(forge) ?? key) !== key);
}

function asPerson(personas: readonly Persona[]): Person {
  // One account may have had two logins; the one used last is its name today.
  const accounts = new Map<string, Persona & { readonly account: ForgeAccount }>();
  for (const persona of personas) {
    const { account } = persona;
    const held = account && accounts.get(account.forge);
    if (account && (!held || persona.last > held.last)) {
      accounts.set(account.forge, { ...persona, account });
    }
  }
  const odd = personas.find((persona) => persona.classified.class !== "human");
  const [first] = personas;
  if (!first) throw new Error("A person without a persona.");
  return {
    personas,
    accounts: [...accounts.values()].map(({ account }) => account),
    classified: (odd ?? first).classified,
  };
}

function leadKey(person: Person): string {
  const [least = ""] = person.personas.map(({ key }) => key).sort();
  return least;
}

/** Same full name of two words or more, and in one repository the same mail domain as second clue. */
function suggest(
  people: readonly Person[],
  isGeneric: (email: string) => boolean,
): readonly Suggestion[] {
  const named = new Map<string, Set<Person>>();
  for (const person of people) {
    if (person.classified.class !== "human") continue;
    for (const { name } of person.personas) {
      const key = name.toLowerCase().replace(/\s+/g, " ");
      if (!key.includes(" ")) continue;
      named.set(key, (named.get(key) ?? new Set()).add(person));
    }
  }
  const found: Suggestion[] = [];
  for (const [name, holders] of named) {
    const [a, ...others] = holders;
    for (const b of others) {
      if (!a || found.length >= suggestionsMax) break;
      const clue = secondClue(a, b, isGeneric);
      if (clue) found.push({ name, keys: [leadKey(a), leadKey(b)], reason: clue });
    }
  }
  return found;
}

function secondClue(
  a: Person,
  b: Person,
  isGeneric: (email: string) => boolean,
): string | undefined {
  const place = overlap(a, b, ({ repositories }) => [...repositories]);
  if (!place) return undefined;
  const domain = overlap(a, b, ({ emails }) =>
    [...emails]
      .filter((email) => !isGeneric(email))
      .map((email) => email.slice(email.lastIndexOf("@") + 1)),
  );
  return domain
    ? `Same full name, both in ${place}, both write from ${domain}.`
    : `Same full name, both in ${place}.`;
}

function overlap(
  a: Person,
  b: Person,
  of: (persona: Persona) => readonly string[],
): string | undefined {
  const mine = new Set(a.personas.flatMap(of));
  return b.personas.flatMap(of).find((text) => mine.has(text));
}
