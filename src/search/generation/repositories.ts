/**
 * Repositories in the index. A list's id is the name, the owner and the forge, in lower case and each with an end of its
 * own: `payments\tacme\tgit.example\t`. What a request may ask for, `payments`, `acme/payments` and
 * `git.example/acme/payments`, is then each the beginning of ids that lie side by side, so that one list for each
 * repository is enough. After the last end stands the name as it is written, where that has capitals.
 */

import { limits } from "../../contract/limits.ts";
import type { NamedRepository } from "../../contract/people/assessment.ts";
import { createNameBook, findFirstNot, matchesName } from "../../contract/terms.ts";
import type { Generation, ListRange, PostingsKey } from "./generation.ts";
import { gatherPostings, type Postings } from "./postings.ts";

const end = "\t";
const endUnit = end.charCodeAt(0);
const kind = "repository:";

/**
 * @package
 * @returns undefined for a name with control characters, which no request can contain.
 */
export function formatRepositoryId({ name, forge = "" }: NamedRepository): string | undefined {
  const folded = fold(name);
  if (folded === "" || control.test(folded) || control.test(forge)) return undefined;
  const id = [getBase(folded), getOwner(folded), forge.toLowerCase(), ""].join(end);
  return folded === name.trim() ? id : id + name.trim();
}

const control = /\p{Cc}/u;

/**
 * Finds the developers with own work in a repository of this name.
 *
 * @param text `name`, `owner/name` or `forge/owner/name`; case does not matter.
 */
export function findByRepository(text: string, generation: Generation): Postings {
  const lists: Postings[] = [];
  for (const start of listRepositoryStarts(text)) {
    const { from, to } = generation.range(start);
    for (let at = from; at < to; at++) lists.push(generation.postingsAt(at));
  }
  return gatherPostings(lists);
}

/** How the keys begin of the repositories that a text names whole; each beginning has an end of its own. */
export function listRepositoryStarts(text: string): readonly PostingsKey[] {
  const folded = fold(text);
  const base: PostingsKey = `${kind}${getBase(folded)}${end}`;
  if (!folded.includes("/")) return [base];
  return listOwnerParts(getOwner(folded)).map((part): PostingsKey => `${base}${part}`);
}

/** A name that works in a search, and how well it fits. */
export interface RepositoryMatch {
  readonly name: string;
  readonly people: number;
  readonly fit: number;
}

/**
 * Completes a beginning of a name, of `owner/name` or of `forge/owner/name`; the best known come first.
 */
export function findRepositoriesLike(
  text: string,
  generation: Generation,
  limit: number,
): readonly RepositoryMatch[] {
  const beginning = readBeginning(text);
  if (!beginning) return [];
  const known = selectLists(beginning, generation, limit * listsForName);
  const keys = known.map((at) => generation.keyAt(at));
  const matches = listNamesLike(text, keys).map((named) => {
    return { ...named, people: findByRepository(named.name, generation).count };
  });
  return sortMatches(matches).slice(0, limit);
}

/** Which keys a beginning of a name leads to. */
export interface BegunName {
  /** What they begin with. */
  readonly start: PostingsKey;
  /** How they go on after the name, one of them; undefined for a text without an owner, whose own beginning may be an owner's. */
  readonly owners: readonly string[] | undefined;
  /** The rest of the ids that have an owner beginning so. */
  readonly owner: string;
}

/** @returns undefined for a text that begins no name. */
export function readBeginning(text: string): BegunName | undefined {
  const folded = fold(text);
  if (folded === "") return undefined;
  const owners = folded.includes("/") ? listOwnerParts(getOwner(folded)) : undefined;
  return { start: `${kind}${getBase(folded)}`, owners, owner: folded };
}

/** The names of these keys, each once, and how well each fits the beginning. */
export function listNamesLike(
  text: string,
  keys: readonly string[],
): readonly { readonly name: string; readonly fit: number }[] {
  const folded = fold(text);
  return toNames(keys, folded).map((name) => {
    const lower = name.toLowerCase();
    const isWhole = lower === folded || getBase(lower) === folded;
    const isStart = lower.startsWith(folded) || getBase(lower).startsWith(folded);
    const fit = isWhole ? matchesName.exact : isStart ? matchesName.start : matchesName.word;
    return { name, fit };
  });
}

/** Best first. */
export function sortMatches(matches: readonly RepositoryMatch[]): readonly RepositoryMatch[] {
  return matches.toSorted((a, b) => a.fit - b.fit || b.people - a.people);
}

/** A name has a list of its own for each forge and each way to write it. */
export const listsForName = 4;

/** Comparing the owners of so many takes a few milliseconds. More are compared only for a text that contains the slash. */
export const ownersMax = 100_000;

/** Of the lists with a name that begins so, those with the most people, by position. */
function selectLists(
  { start, owners, owner }: BegunName,
  generation: Generation,
  max: number,
): readonly number[] {
  const named = generation.range(start);
  if (owners) {
    return selectLargest(named, generation, max, (at) => hasOwnerPart(generation, at, owners));
  }
  const found = selectLargest(named, generation, max);
  const all = generation.range(kind);
  if (all.to - all.from > ownersMax) return found;
  const ofOwners = selectLargest(all, generation, max, (at) =>
    hasOwnerPart(generation, at, [owner]),
  );
  return [...new Set([...found, ...ofOwners])];
}

/** One pass: most lists have a single person, and are passed over by one comparison. */
function selectLargest(
  { from, to }: ListRange,
  { columns: { counts } }: Generation,
  max: number,
  isWanted: (position: number) => boolean = () => true,
): readonly number[] {
  const best: number[] = [];
  for (let at = from; at < to; at++) {
    const count = counts[at] as number;
    const last = best.at(-1);
    if (best.length === max && last !== undefined && (counts[last] as number) >= count) continue;
    if (!isWanted(at)) continue;
    const rank = findFirstNot((each) => (counts[best[each] ?? 0] as number) >= count, best.length);
    best.splice(rank, 0, at);
    if (best.length > max) best.pop();
  }
  return best;
}

/**
 * Suggests known names for an unknown one: the same name elsewhere, and those with nearly the same spelling among
 * those that begin alike. A mistake in the first letters finds nothing.
 */
export function suggestRepositories(
  text: string,
  generation: Generation,
  limit: number,
): readonly RepositoryMatch[] {
  const base = getBase(fold(text));
  const keyAt = (at: number) => generation.keyAt(at);
  const same = selectLargest(generation.range(`${kind}${base}${end}`), generation, limit);
  const everything = generation.range(kind);
  const { from } = generation.range(`${kind}${base}`);
  const first = Math.max(everything.from, from - neighbours);
  const after = Math.min(everything.to, from + neighbours);
  const near = Array.from({ length: after - first }, (_, at) => keyAt(first + at));
  return listSimilarNames(text, same.map(keyAt), near, limit).map(({ name, fit }) => {
    return { name, people: findByRepository(name, generation).count, fit };
  });
}

/** Where similar names are: keys of the same name begin with `same`, the others are around `near`. */
export function getSimilarRanges(text: string): {
  readonly same: PostingsKey;
  readonly near: PostingsKey;
  readonly kind: PostingsKey;
} {
  const near: PostingsKey = `${kind}${getBase(fold(text))}`;
  return { same: `${near}${end}`, near, kind };
}

/**
 * The names that are like an unknown one, best first.
 *
 * @param same keys of the same name elsewhere, those with most people first.
 * @param near keys that stand around where that of the unknown one would.
 */
export function listSimilarNames(
  text: string,
  same: readonly string[],
  near: readonly string[],
  limit: number,
): readonly { readonly name: string; readonly fit: number }[] {
  const folded = fold(text);
  const base = getBase(folded);
  const names = toNames([...same, ...near]);
  const spelt = names.map((bearer) => {
    const lower = bearer.toLowerCase();
    return { name: folded.includes("/") ? lower : getBase(lower), tails: [], bearer };
  });
  const elsewhere = names.filter((name) => getBase(name.toLowerCase()) === base);
  const alike = [...createNameBook(spelt).near(folded)].sort(([, a], [, b]) => a - b);
  const fits = new Map([...elsewhere.map((name) => [name, matchesName.near] as const), ...alike]);
  return [...fits].slice(0, limit).map(([name, fit]) => ({ name, fit }));
}

/** Names compared on either side of where the asked-for one would stand. */
export const neighbours = 100;

/** Each name once, as it is written; with its forge where only that begins as was asked. */
function toNames(keys: readonly string[], asked = ""): readonly string[] {
  const names = new Map<string, string>();
  for (const key of keys) {
    const id = key.slice(kind.length);
    const [base = "", owner = "", forge = "", written] = id.split(end);
    const folded = owner === "" ? base : `${owner}/${base}`;
    const name = written || folded;
    const isByName = [folded, base].some((start) => start.startsWith(asked));
    const shown = isByName || forge === "" ? name : `${forge}/${name}`;
    if (shown.length > limits.textLengthMax) continue;
    if (!names.has(shown.toLowerCase())) names.set(shown.toLowerCase(), shown);
  }
  return [...names.values()];
}

/** Whether the id goes on so after the name. Compares without making texts of keys, since it looks at many. */
function hasOwnerPart(
  { columns: { keyStarts, keyUnits } }: Generation,
  list: number,
  parts: readonly string[],
): boolean {
  let after = (keyStarts[list] as number) + kind.length;
  while (keyUnits[after++] !== endUnit);
  return parts.some((part) => {
    for (let at = 0; at < part.length; at++) {
      if (keyUnits[after + at] !== part.charCodeAt(at)) return false;
    }
    return true;
  });
}

/** How ids go on after the name: any beginning of `git.example/acme` may be the forge, whose address may have slashes. */
function listOwnerParts(owner: string): readonly string[] {
  if (owner === "") return [];
  const words = owner.split("/");
  return words.map((_, at) =>
    at === 0 ? owner + end : words.slice(at).join("/") + end + words.slice(0, at).join("/") + end,
  );
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

/** The name without its owner. */
function getBase(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function getOwner(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf("/")));
}
