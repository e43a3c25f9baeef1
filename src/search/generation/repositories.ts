/**
 * Repositories in the index. A list's id is the name, the owner and the forge, in lower case and each with an end of its
 * own: `payments\tacme\tgit.example\t`. What a request may ask for, `payments`, `acme/payments` and
 * `git.example/acme/payments`, is then each the beginning of ids that lie side by side, so that one list for each
 * repository is enough. After the last end stands the name as it is written, where that has capitals.
 */
import type { NamedRepository } from "../../contract/people/assessment.ts";
import { limits } from "../../contract/limits.ts";
import { createNameBook, matchesName } from "../../contract/terms.ts";
import type { Generation, ListRange } from "./generation.ts";
import { type Postings, unitePostings } from "./postings.ts";

const end = "\t";
const kind = "repository:";

/**
 * @package
 * @returns undefined for a name that nobody can ask for, because a request has no control characters.
 */
export function formatRepositoryId({ name, forge = "" }: NamedRepository): string | undefined {
  const folded = fold(name);
  if (folded === "" || control.test(folded) || control.test(forge)) return undefined;
  const id = [getBase(folded), getOwner(folded), forge.toLowerCase(), ""].join(end);
  return folded === name.trim() ? id : id + name.trim();
}

const control = /\p{Cc}/u;

/**
 * Finds whoever has own work in a repository of this name.
 *
 * @package
 * @param text `name`, `owner/name` or `forge/owner/name`; case does not matter.
 */
export function findByRepository(text: string, generation: Generation): Postings {
  const folded = fold(text);
  const base = getBase(folded) + end;
  const starts = folded.includes("/")
    ? listOwnerParts(getOwner(folded)).map((part) => base + part)
    : [base];
  const lists = starts.flatMap((start) =>
    listPositions(generation.range(`${kind}${start}`)).map((at) => generation.listAt(at).postings),
  );
  return unitePostings(lists);
}

/** A name that works in a search, and how well it fits. @package */
export interface RepositoryMatch {
  readonly name: string;
  readonly people: number;
  readonly fit: number;
}

/**
 * Completes a beginning of a name, of `owner/name` or of `forge/owner/name`; the best known come first.
 *
 * @package
 */
export function completeRepositories(
  text: string,
  generation: Generation,
  limit: number,
): readonly RepositoryMatch[] {
  const folded = fold(text);
  if (folded === "") return [];
  const everything = generation.range(kind);
  const named = generation.range(`${kind}${getBase(folded)}`);
  const known = mostPeople(selectPositions(folded, { named, everything }, generation), generation);
  const matches = toNames(known.slice(0, limit * listsForName), generation, folded).map((name) => {
    const lower = name.toLowerCase();
    const isWhole = lower === folded || getBase(lower) === folded;
    const isStart = lower.startsWith(folded) || getBase(lower).startsWith(folded);
    const fit = isWhole ? matchesName.exact : isStart ? matchesName.start : matchesName.word;
    return { name, people: findByRepository(name, generation).count, fit };
  });
  return matches.sort((a, b) => a.fit - b.fit || b.people - a.people).slice(0, limit);
}

/** A name has a list of its own for each forge and each way to write it. */
const listsForName = 4;

/** Looking at the owner of each takes some milliseconds; of more only whoever types the slash has them looked at. */
const ownersMax = 100_000;

function selectPositions(
  folded: string,
  { named, everything }: Readonly<Record<"named" | "everything", ListRange>>,
  generation: Generation,
): number[] {
  if (folded.includes("/")) {
    const parts = listOwnerParts(getOwner(folded));
    return listPositions(named).filter((at) => hasOwnerPart(generation, at, parts));
  }
  const positions = listPositions(named);
  if (everything.to - everything.from > ownersMax) return positions;
  const ofOwners = listPositions(everything).filter((at) => hasOwnerPart(generation, at, [folded]));
  return [...new Set([...positions, ...ofOwners])];
}

/**
 * Suggests known names for one that nobody has: the same name elsewhere, and those that are written nearly so among
 * those that begin alike. A mistake in the first letters finds nothing.
 *
 * @package
 */
export function suggestRepositories(
  text: string,
  generation: Generation,
  limit: number,
): readonly RepositoryMatch[] {
  const folded = fold(text);
  const base = getBase(folded);
  const same = listPositions(generation.range(`${kind}${base}${end}`));
  const elsewhere = toNames(mostPeople(same, generation).slice(0, limit), generation, base);
  const everything = generation.range(kind);
  const { from } = generation.range(`${kind}${base}`);
  const near = {
    from: Math.max(everything.from, from - neighbours),
    to: Math.min(everything.to, from + neighbours),
  };
  const names = toNames(listPositions(near), generation);
  const spelt = names.map((bearer) => {
    const lower = bearer.toLowerCase();
    return { name: folded.includes("/") ? lower : getBase(lower), tails: [], bearer };
  });
  const alike = [...createNameBook(spelt).near(folded)].sort(([, a], [, b]) => a - b);
  const fits = new Map([...elsewhere.map((name) => [name, matchesName.near] as const), ...alike]);
  return [...fits].slice(0, limit).map(([name, fit]) => {
    return { name, people: findByRepository(name, generation).count, fit };
  });
}

/** Names compared on either side of where the asked-for one would stand. */
const neighbours = 250;

function mostPeople(positions: number[], { columns: { counts } }: Generation): number[] {
  return positions.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
}

/** Each name once, as it is written; with its forge where only that begins as was asked. */
function toNames(
  positions: readonly number[],
  generation: Generation,
  asked = "",
): readonly string[] {
  const names = new Map<string, string>();
  for (const at of positions) {
    const [base = "", owner = "", forge = "", written] = generation
      .listAt(at)
      .key.slice(kind.length)
      .split(end);
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
  const after = keyUnits.indexOf(end.charCodeAt(0), keyStarts[list]) + 1;
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
    at === 0
      ? owner + end
      : words.slice(at).join("/") + end + words.slice(0, at).join("/") + end,
  );
}

function listPositions({ from, to }: ListRange): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
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
