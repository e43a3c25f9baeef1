import { findFirstNot } from "../../contract/terms.ts";
import {
  type GenerationExtent,
  type GenerationSections,
  noStrengths,
  viewSections,
} from "./layout.ts";
import { countBitsetWords, emptyPostings, isDense, type Postings } from "./postings.ts";

/**
 * One immutable index in one buffer. Developers are numbered by *ordinal*: in descending order of base score, then by lower-cased
 * login in code-unit order. A ranking that visits ordinals in order can therefore stop early.
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
  /** The number of people in each place, by place id. Places without people are absent. */
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
 * - concept: developers with evidence for a skill or language, with strengths
 * - place: developers in a place, or in a place inside it
 * - placed: developers with a known place; the only key is `placed:yes`
 * - role: developers who match a role; the strength is the tech-stack component for the role
 * - word: developers with this normalized word in a topic, bio or repository name
 * - years: developers with at least this many whole years on the platform
 * - hireable: developers flagged hireable; the only key is `hireable:yes`
 * - repository: developers with own work in a repository; `repositories.ts` describes the ids
 * - active: developers last active in a decade (`2020s`), a year (`2026`), a month (`2026-10`), or on a day of any month (`day
 * 24`)
 * - company: developers with this word in the name of their company
 * - employed: developers with a known company; the only key is `employed:yes`
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
  | "company"
  | "employed";
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
  // Caches lists by key, because finding a key takes longer than the rest of a search.
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

/** Finds a list by its key. Compares code units in place, because creating strings takes time. */
function findList(columns: GenerationSections, key: string): number | undefined {
  const list = firstFrom(columns, key);
  return list < columns.counts.length && compare(columns, list, key) === 0 ? list : undefined;
}

/** Returns the position of the first list with this key or a later key. */
function firstFrom(columns: GenerationSections, key: string): number {
  return findFirstNot((list) => compare(columns, list, key) < 0, columns.counts.length);
}

/** Returns a negative number if the list's key sorts before `key`. */
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
