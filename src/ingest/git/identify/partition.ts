/** Divides authors into parts that no rule of identity compares with each other: a pure function of their links. */
import { isWithinRepository, type Link, reach } from "./links.ts";

export interface LinkedAuthor {
  readonly links: readonly Link[];
  /** Names of the repositories in which the author occurs. */
  readonly repositories: readonly string[];
}

/**
 * @param ties pairs of authors, by their index, that are in one part whatever their links say.
 * @returns the indexes of each part, least first.
 */
export function splitByLinks(
  authors: readonly LinkedAuthor[],
  ties: Iterable<readonly [number, number]>,
): readonly (readonly number[])[] {
  const sets = createSets(authors.length);
  for (const [a, b] of ties) sets.unite(a, b);
  tieEverywhere(authors, sets);
  for (const members of groupByRepository(authors)) tieWithin(authors, members, sets);
  return [...Map.groupBy(authors.keys(), sets.find).values()];
}

type Sets = ReturnType<typeof createSets>;

function createSets(length: number) {
  const parents = Uint32Array.from({ length }, (_, at) => at);
  const find = (one: number): number => {
    let at = one;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at] ?? 0] ?? 0;
      at = parents[at] ?? 0;
    }
    return at;
  };
  const unite = (a: number, b: number): void => {
    const [one, other] = [find(a), find(b)];
    if (one !== other) parents[Math.max(one, other)] = Math.min(one, other);
  };
  return { find, unite };
}

/** A word is linked with the logins that are spelt so, and everything else with its like. */
function tieEverywhere(authors: readonly LinkedAuthor[], { unite }: Sets): void {
  const first = new Map<number, number>();
  const words = new Map<number, number[]>();
  const logins = new Map<number, number>();
  for (const [at, { links }] of authors.entries()) {
    for (const { key, reach: far } of links) {
      if (far === reach.everywhere) unite(first.getOrInsert(key, at), at);
      if (far === reach.word) words.getOrInsertComputed(key, () => []).push(at);
      if (far === reach.login) unite(logins.getOrInsert(key, at), at);
    }
  }
  for (const [key, holders] of words) {
    const login = logins.get(key);
    if (login !== undefined) for (const at of holders) unite(login, at);
  }
}

function groupByRepository(authors: readonly LinkedAuthor[]): Iterable<readonly number[]> {
  const members = new Map<string, number[]>();
  for (const [at, { repositories }] of authors.entries()) {
    for (const name of repositories) members.getOrInsertComputed(name, () => []).push(at);
  }
  return members.values();
}

/** Handles that names only suggest link with those that somebody chose, and not with each other. */
function tieWithin(
  authors: readonly LinkedAuthor[],
  members: readonly number[],
  { unite }: Sets,
): void {
  const chosen = new Map<number, number>();
  const links = members.flatMap((at) =>
    (authors[at]?.links ?? []).flatMap(({ key, reach: far }) =>
      isWithinRepository(far) ? [{ at, key, isSuggested: far === reach.namedHandle }] : [],
    ),
  );
  for (const { at, key, isSuggested } of links) {
    if (!isSuggested) unite(chosen.getOrInsert(key, at), at);
  }
  for (const { at, key, isSuggested } of links) {
    const holder = isSuggested ? chosen.get(key) : undefined;
    if (holder !== undefined) unite(holder, at);
  }
}
