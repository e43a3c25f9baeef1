/**
 * Suggests pairs of people who may be one person. A pair needs two clues. The first is a common full name, or a name that is the
 * other person's login. The second is a common repository, or a common domain or local part of an address.
 */
import { isFirstName } from "../../../identity/person-name.ts";
import { foldName } from "../../../identity/selector.ts";
import { groupByKeys } from "../../group-by-keys.ts";
import type { AuthorIdentity, Person } from "./author-identity.ts";
import { listOwnAddresses, type PeopleGrouping } from "./group-people.ts";
import { listHandles, publicHosts } from "./handles.ts";

export interface MergeSuggestion {
  readonly people: readonly [Person, Person];
  /** The clues in words, name clues first. */
  readonly clues: readonly string[];
}

/** @returns pairs that may be merged, most clues first. They do not depend on the order of people. */
export function suggestMerges({ people, whyApart }: Pick<PeopleGrouping, "people" | "whyApart">) {
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

/** The most people with one name. A name that more people have is no clue without a handle. */
const holdersMax = 10;
/** The fewest characters of a login that is a clue. */
const loginLengthMin = 4;
const localLengthMin = 5;

/** Finds people with one name. Where the name is one word, or many have it, they must also share a handle. */
function sameNames(people: readonly Person[]): readonly NameClue[] {
  const named = holdersOf(people, ({ name }) => foldName(name));
  return [...named].flatMap(([name, holders]) => {
    const isEnough = name.includes(" ") && holders.length <= holdersMax;
    const groups = isEnough ? [holders] : [...groupByKeys(holders, listSharable).values()];
    return groups.map((some) => ({ holders: some, clue: `both are called ${name}` }));
  });
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
    (identity.account ? [] : listOwnAddresses(identity))
      .map((address) => address.slice(address.lastIndexOf("@") + 1))
      .filter((host) => !publicHosts.has(host)),
  );
  const handles = new Set(listSharable(a));
  const local = listSharable(b).find((handle) => handles.has(handle));
  return [
    ...(repository ? [`both work in ${repository}`] : []),
    ...(domain ? [`both write from ${domain}`] : []),
    ...(local ? [`${local} is of both addresses or logins`] : []),
  ];
}

/** Lists logins and local parts that two people seldom share. */
function listSharable({ identities }: Person): readonly string[] {
  const handles = identities.flatMap((identity) => [...listHandles(identity)]);
  const texts = handles.flatMap(({ text, from }) => (from.endsWith("word") ? [] : [text]));
  return [...new Set(texts)].filter((text) => text.length >= localLengthMin && !isFirstName(text));
}

function overlap(a: Person, b: Person, of: (identity: AuthorIdentity) => readonly string[]) {
  const mine = new Set(a.identities.flatMap(of));
  return b.identities.flatMap(of).find((text) => mine.has(text));
}
