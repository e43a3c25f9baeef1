/** Divides authors into parts that no link connects with each other. */
import { formatSelector, type Selector } from "../../../identity/selector.ts";
import { groupByKeys } from "../../group-by-keys.ts";
import { getHash, getReach, type Link, type Reach, reach, toLink } from "./links.ts";
import type { Statement } from "./rules.ts";

export interface LinkedAuthor {
  readonly links: readonly Link[];
  readonly repositories: readonly string[];
}

/** @param ties pairs of indexes that always belong to one part. @returns the indexes in each part, in ascending order. */
export function splitByLinks(
  authors: readonly LinkedAuthor[],
  ties: Iterable<readonly [number, number]>,
): readonly (readonly number[])[] {
  const sets = createSets(authors.length);
  for (const [a, b] of ties) sets.unite(a, b);
  const { everywhere, login, word, repository, handle, namedHandle } = reach;
  tie(authors, authors.keys(), { ...sets, own: [everywhere, login], other: word });
  for (const members of groupByKeys(authors.keys(), (at) => authors[at]?.repositories).values()) {
    tie(authors, members, { ...sets, own: [repository, handle], other: namedHandle });
  }
  return [...Map.groupBy(authors.keys(), sets.find).values()];
}

/** @returns groups of statements that common selectors connect, as indexes. */
export function findChains(
  statements: readonly Pick<Statement, "a" | "b">[],
): readonly (readonly number[])[] {
  const linkOf = (selector: Selector) =>
    toLink(formatSelector(selector).toLowerCase(), reach.everywhere);
  const linked = statements.map(({ a, b }) => ({ links: [a, b].map(linkOf), repositories: [] }));
  return splitByLinks(linked, []);
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

/**
 * @param own the reaches at which equal links connect authors.
 * @param other one more reach. Authors with a link at this reach are connected only with authors who have the link at a reach of
 * `own`.
 */
function tie(
  authors: readonly LinkedAuthor[],
  some: Iterable<number>,
  { unite, own, other }: Sets & { readonly own: readonly Reach[]; readonly other: Reach },
): void {
  const first = new Map<number, number>();
  const others: (readonly [number, number])[] = [];
  for (const at of some) {
    for (const link of authors[at]?.links ?? []) {
      const far = getReach(link);
      if (own.includes(far)) unite(first.getOrInsert(getHash(link), at), at);
      if (far === other) others.push([getHash(link), at]);
    }
  }
  for (const [key, at] of others) unite(first.get(key) ?? at, at);
}
