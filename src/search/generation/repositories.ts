/**
 * Repositories in the index. The id of a list is the name, the owner and the forge in lower case, each followed by a tab:
 * `payments\tacme\tgit.example\t`. A request may name `payments`, `acme/payments` or `git.example/acme/payments`. If the name has
 * capitals, its original spelling follows the last tab.
 */
import { limits } from "../../contract/limits.ts";
import type { NamedRepository } from "../../contract/people/assessment.ts";
import { createNameBook, findFirstNot, matchesName } from "../../contract/terms.ts";
import type { Generation, ListRange, PostingsKey } from "./generation.ts";
import { gatherPostings, type Postings } from "./postings.ts";

const end = "\t";
const endUnit = end.charCodeAt(0);
const kind = "repository:";

/** @package @returns undefined for a name with control characters. */
export function formatRepositoryId({ name, forge = "" }: NamedRepository): string | undefined {
  const folded = fold(name);
  if (folded === "" || control.test(folded) || control.test(forge)) return undefined;
  const id = [getBase(folded), getOwner(folded), forge.toLowerCase(), ""].join(end);
  return folded === name.trim() ? id : id + name.trim();
}

const control = /\p{Cc}/u;

/**
 * Finds the developers with own work in a repository of this name.
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

/** Returns the beginnings of the keys of repositories with exactly this name. Each beginning ends with a separator. */
export function listRepositoryStarts(text: string): readonly PostingsKey[] {
  const folded = fold(text);
  const base: PostingsKey = `${kind}${getBase(folded)}${end}`;
  if (!folded.includes("/")) return [base];
  return listOwnerParts(getOwner(folded)).map((part): PostingsKey => `${base}${part}`);
}

/** A repository name that a search accepts, and how well it fits the text. */
export interface RepositoryMatch {
  readonly name: string;
  readonly people: number;
  readonly fit: number;
}

/**
 * Completes the beginning of a repository name, of `owner/name` or of `forge/owner/name`. Repositories with the most
 * people come first.
 */
export function findRepositoriesLike(
  text: string,
  generation: Generation,
  limit: number,
): readonly RepositoryMatch[] {
  const known = selectLists(readBeginning(text), generation, limit * listsForName);
  const keys = known.map((at) => generation.keyAt(at));
  const matches = listNamesLike(text, keys).map((named) => {
    return { ...named, people: findByRepository(named.name, generation).count };
  });
  return sortMatches(matches).slice(0, limit);
}

/** Describes the keys of the repositories whose name or owner begins with a text. */
export interface BegunName {
  readonly start: PostingsKey;
  /** The possible owners, in the form of a key. Undefined for a text without a slash. */
  readonly owners: readonly string[] | undefined;
  /** The lower-cased text, which may also be the beginning of an owner. */
  readonly owner: string;
}

/** Every name begins with the empty text. */
export function readBeginning(text: string): BegunName {
  const folded = fold(text);
  const owners = folded.includes("/") ? listOwnerParts(getOwner(folded)) : undefined;
  return { start: `${kind}${getBase(folded)}`, owners, owner: folded };
}

/** Returns the distinct names of these keys, each with how well it fits the text. */
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

export function sortMatches(matches: readonly RepositoryMatch[]): readonly RepositoryMatch[] {
  return matches.toSorted((a, b) => a.fit - b.fit || b.people - a.people);
}

/** How many keys to read for each name, because several keys may have the same name. */
export const listsForName = 4;

/**
 * With at most this many repositories, a text is compared with all owners. With more repositories, only a text with a slash is
 * compared with owners.
 */
export const ownersMax = 100_000;

/** Selects the repositories with a name or owner that begins with the text. Returns the lists with the most people. */
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
  if (owner === "" || all.to - all.from > ownersMax) return found;
  const ofOwners = selectLargest(all, generation, max, (at) =>
    hasOwnerPart(generation, at, [owner]),
  );
  return [...new Set([...found, ...ofOwners])];
}

/** Selects the lists with the most people in one pass. */
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
 * Suggests names for an unknown repository: the same name under another owner or forge, and similar names. Similar names must
 * begin with the same letters.
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

/** Returns where to look for similar names. Keys of the same name begin with `same`. Keys of similar names are next to `near`. */
export function getSimilarRanges(text: string): {
  readonly same: PostingsKey;
  readonly near: PostingsKey;
  readonly kind: PostingsKey;
} {
  const near: PostingsKey = `${kind}${getBase(fold(text))}`;
  return { same: `${near}${end}`, near, kind };
}

/**
 * Returns the names that are similar to an unknown name, best first.
 * @param same keys of the same name under other owners, those with the most people first.
 * @param near keys that sort around the unknown name.
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

/** The number of names compared before and after the position of the unknown name. */
export const neighbours = 100;

/**
 * Returns each name once, in its original spelling. The name includes the forge if neither the name nor the owner begins with
 * `asked`.
 */
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

/** Whether one of these texts follows the name in the list's id. Compares code units, because creating strings takes time. */
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

/** Returns what may follow the name in an id. `git.example/acme` may be an owner, or a forge and an owner. */
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

/** Returns the name without its owner. */
function getBase(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function getOwner(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf("/")));
}
