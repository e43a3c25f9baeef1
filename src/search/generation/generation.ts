import { findFirstNot } from "../../contract/terms.ts";
import {
  type GenerationExtent,
  type GenerationSections,
  noStrengths,
  viewSections,
} from "./layout.ts";
import { countBitsetWords, emptyPostings, isDense, type Postings } from "./postings.ts";

/**
 * One immutable index in one buffer. Developers are numbered by *ordinal*: in descending order of their score from
 * profile and activity, then by lower-cased login in code-unit order. A query adds only the tech stack to that score,
 * so a ranking that visits ordinals in order can stop at the first developer who cannot reach the page.
 */
export interface Generation {
  readonly revision: number;
  readonly developers: number;
  readonly columns: GenerationSections;
  /** Returns the developers with this key, or `emptyPostings` if no developer has it. */
  postings(key: PostingsKey): Postings;
  /** Returns the positions of the lists whose keys begin with `start`. They are adjacent, because keys are sorted. */
  range(start: PostingsKey): ListRange;
  keyAt(position: number): string;
  postingsAt(position: number): Postings;
  /** By place id: the number of people. Places without people are absent. Computed on first use. */
  readonly peopleByPlace: ReadonlyMap<string, number>;
  readonly buffer: ArrayBuffer;
}

/** Positions of lists. The end is exclusive. */
export interface ListRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The kinds of lists:
 * - concept: developers with evidence for a skill or language, by concept id; with strengths
 * - place: by place id; includes the people of all places inside it
 * - placed: developers with a known place; the only key is `placed:yes`
 * - role: developers who match a role at 25 or more, by role id; the strength is the tech-stack component for the role
 * - word: normalized words of topics, bios and repository names
 * - years: developers with at least this many whole years on the platform
 * - hireable: developers flagged hireable; the only key is `hireable:yes`
 * - repository: developers with own work in a repository, by the id that `repositories.ts` makes from its name
 * - active: last active in that decade (`2020s`), year (`2026`) or month (`2026-10`), or on that day of any
 *   month (`day 24`)
 * - tenths: developers whose years on the platform have at least this many tenths after the whole years; in
 *   the database only
 */
export type PostingsKeyKind =
  | "concept"
  | "place"
  | "placed"
  | "role"
  | "word"
  | "years"
  | "hireable"
  | "active"
  | "repository"
  | "tenths";
export type PostingsKey = `${PostingsKeyKind}:${string}`;

export function hasStrengths(kind: PostingsKeyKind): boolean {
  return kind === "concept" || kind === "role";
}

export function createGeneration(
  buffer: ArrayBuffer,
  extent: GenerationExtent,
  revision: number,
): Generation {
  const columns = viewSections(buffer, extent);
  let peopleByPlace: ReadonlyMap<string, number> | undefined;
  // Caches lists by key. Finding a key takes longer than the rest of a search, and many queries use the same lists.
  const used = new Map<PostingsKey, Postings>();
  return {
    revision,
    developers: extent.developers,
    columns,
    buffer,
    postings(key) {
      const known = used.get(key);
      if (known) return known;
      const list = findList(columns, key);
      if (list === undefined) return emptyPostings;
      const found = postingsOf(columns, list, extent.developers);
      if (used.size >= usedMax) used.clear();
      used.set(key, found);
      return found;
    },
    range: (start) => rangeOf(columns, start),
    keyAt: (position) => keyAt(columns, position),
    postingsAt: (position) => postingsOf(columns, position, extent.developers),
    get peopleByPlace() {
      peopleByPlace ??= new Map(countsOf(columns, "place"));
      return peopleByPlace;
    },
  };
}

const usedMax = 4096;

function postingsOf(columns: GenerationSections, list: number, developers: number): Postings {
  const count = columns.counts[list] as number;
  const start = columns.ordinalStarts[list] as number;
  const strengthStart = columns.strengthStarts[list] as number;
  const dense = isDense(count, developers);
  const strengths =
    strengthStart === noStrengths
      ? undefined
      : columns.strengths.subarray(strengthStart, strengthStart + (dense ? developers : count));
  if (dense) {
    const bits = columns.ordinals.subarray(start, start + countBitsetWords(developers));
    return { count, bits, strengths };
  }
  return { count, ordinals: columns.ordinals.subarray(start, start + count), strengths };
}

/** Yields the keys of one kind, without the kind's prefix, each with its number of developers. */
function* countsOf(
  columns: GenerationSections,
  kind: PostingsKeyKind,
): Generator<[name: string, count: number]> {
  const { from, to } = rangeOf(columns, `${kind}:`);
  for (let list = from; list < to; list++) {
    yield [keyAt(columns, list).slice(kind.length + 1), columns.counts[list] as number];
  }
}

function rangeOf(columns: GenerationSections, start: string): ListRange {
  const from = firstFrom(columns, start);
  const more = columns.counts.length - from;
  return { from, to: from + findFirstNot((at) => beginsWith(columns, from + at, start), more) };
}

function keyAt({ keyStarts, keyUnits }: GenerationSections, list: number): string {
  return String.fromCharCode(...keyUnits.subarray(keyStarts[list], keyStarts[list + 1]));
}

function beginsWith(
  { keyStarts, keyUnits }: GenerationSections,
  list: number,
  start: string,
): boolean {
  const from = keyStarts[list] as number;
  if ((keyStarts[list + 1] as number) - from < start.length) return false;
  for (let at = 0; at < start.length; at++) {
    if (keyUnits[from + at] !== start.charCodeAt(at)) return false;
  }
  return true;
}

/** Finds a list without decoding keys into strings, so that opening an index takes no time per key. */
function findList(columns: GenerationSections, key: string): number | undefined {
  const list = firstFrom(columns, key);
  return list < columns.counts.length && compare(columns, list, key) === 0 ? list : undefined;
}

/** Returns the first list whose key is this one or a later one. */
function firstFrom(columns: GenerationSections, key: string): number {
  return findFirstNot((list) => compare(columns, list, key) < 0, columns.counts.length);
}

/** Returns a negative number if the list's key sorts before `key` in code-unit order, as `<` compares strings. */
function compare({ keyStarts, keyUnits }: GenerationSections, list: number, key: string): number {
  const start = keyStarts[list] as number;
  const length = (keyStarts[list + 1] as number) - start;
  const shared = Math.min(length, key.length);
  for (let at = 0; at < shared; at++) {
    const difference = (keyUnits[start + at] as number) - key.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return length - key.length;
}
