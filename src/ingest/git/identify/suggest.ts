/**
 * Suggests pairs of people who may be one person. A pair needs two clues. The first is a common full name, or a name that is the
 * other person's login. The second is a common repository, or a common domain or local part of an address.
 */

import { foldName } from "../../../identity/selector.ts";
import { groupByKeys } from "../../group-by-keys.ts";
import type { AuthorIdentity, Person } from "./author-identity.ts";
import { listOwnAddresses, type PeopleGrouping } from "./group-people.ts";
import { publicHosts } from "./handles.ts";

export interface MergeSuggestion {
  readonly people: readonly [Person, Person];
  /** The clues in words, name clues first. */
  readonly clues: readonly string[];
}

/** @returns pairs that may be merged, most clues first. They do not depend on the order of people. */
export function suggestMerges({
  people,
  whyApart,
}: Pick<PeopleGrouping, "people" | "whyApart">): readonly MergeSuggestion[] {
  const found = new Map<string, MergeSuggestion & { readonly clues: string[] }>();
  const number = new Map(people.map((person, at) => [person, at]));
  for (const { holders, clue } of [...sameNames(people), ...namesThatAreLogins(people)]) {
    for (const [a, b] of pairsOf(holders)) {
      const key = [number.get(a), number.get(b)].join();
      const known = found.get(key)?.clues;
      if (known?.includes(clue) === false) known.push(clue);
      const second = known ? [] : secondClues(a, b);
      if (second.length === 0 || whyApart(a, b) !== undefined) continue;
      found.set(key, { people: [a, b], clues: [clue, ...second] });
    }
  }
  const order = ({ people: [a, b] }: MergeSuggestion): readonly number[] => [
    number.get(a) ?? 0,
    number.get(b) ?? 0,
  ];
  return [...found.values()].sort((x, y) => {
    const [[a = 0, b = 0], [c = 0, d = 0]] = [order(x), order(y)];
    return y.clues.length - x.clues.length || a - c || b - d;
  });
}

/** Lists all clues that two people are one person. */
export function findClues(a: Person, b: Person): readonly string[] {
  const firsts = [...sameNames([a, b]), ...namesThatAreLogins([a, b])];
  const first = firsts.filter(({ holders }) => holders.length > 1).map(({ clue }) => clue);
  return [...first, ...secondClues(a, b)];
}

interface NameClue {
  readonly holders: readonly Person[];
  readonly clue: string;
}

/** The most people with one name. A name that more people have suggests nothing. */
const holdersMax = 10;
/** The fewest characters of a login that is a clue. */
const loginLengthMin = 4;
const localLengthMin = 5;

function sameNames(people: readonly Person[]): readonly NameClue[] {
  const named = holdersOf(people, (identity) => {
    const name = foldName(identity.name);
    return name.includes(" ") ? name : undefined;
  });
  return [...named].map(([name, holders]) => ({ holders, clue: `both are called ${name}` }));
}

function namesThatAreLogins(people: readonly Person[]): readonly NameClue[] {
  const named = holdersOf(people, ({ name }) => foldName(name));
  const logins = holdersOf(people, ({ account }) => account?.login.toLowerCase());
  return [...logins].flatMap(([login, holders]) => {
    const others = login.length < loginLengthMin ? [] : (named.get(login) ?? []);
    return others
      .filter((other) => !holders.includes(other))
      .flatMap((other) => holders.map((one) => [one, other]))
      .map((both) => ({
        holders: both,
        clue: `the name of one is the login ${login} of the other`,
      }));
  });
}

function holdersOf(
  people: readonly Person[],
  keyOf: (identity: AuthorIdentity) => string | undefined,
): ReadonlyMap<string, readonly Person[]> {
  const humans = people.filter(({ classified }) => classified.class === "human");
  return groupByKeys(humans, ({ identities }) => [
    ...new Set(identities.flatMap((identity) => keyOf(identity) || [])),
  ]);
}

function pairsOf(holders: readonly Person[]): readonly (readonly [Person, Person])[] {
  if (holders.length > holdersMax) return [];
  return holders.flatMap((a, at) => holders.slice(at + 1).map((b) => [a, b] as const));
}

function secondClues(a: Person, b: Person): readonly string[] {
  const repository = overlap(a, b, ({ repositories }) => [...repositories].sort());
  const domain = overlap(a, b, (identity) =>
    addressesOf(identity)
      .map(([, host]) => host)
      .filter((host) => !publicHosts.has(host)),
  );
  const local = overlap(a, b, (identity) => [
    ...addressesOf(identity)
      .map(([name]) => name)
      .filter((name) => name.length >= localLengthMin),
    ...(identity.account ? [identity.account.login.toLowerCase()] : []),
  ]);
  return [
    ...(repository ? [`both work in ${repository}`] : []),
    ...(domain ? [`both write from ${domain}`] : []),
    ...(local ? [`${local} is of both addresses or logins`] : []),
  ];
}

/** Lists the local part and the host of each personal address. */
function addressesOf(identity: AuthorIdentity): readonly [string, string][] {
  return (identity.account ? [] : listOwnAddresses(identity)).map((address) => {
    const at = address.lastIndexOf("@");
    return [address.slice(0, at), address.slice(at + 1)];
  });
}

function overlap(
  a: Person,
  b: Person,
  of: (identity: AuthorIdentity) => readonly string[],
): string | undefined {
  const mine = new Set(a.identities.flatMap(of));
  return b.identities.flatMap(of).find((text) => mine.has(text));
}
