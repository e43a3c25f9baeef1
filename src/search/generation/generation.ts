import { type Extent, noStrengths, type Sections, sectionsOver } from "./layout.ts";
import { bitsetWords, isDense, nobody, type Postings } from "./postings.ts";

/**
 * Everything search knows, frozen: one buffer that never changes after it was built. Developers are
 * numbered by *ordinal*: best-role score descending, then lower-cased login by code unit, so that a
 * page without role and skills is simply the first ordinals.
 */
export interface Generation {
  readonly revision: number;
  readonly developers: number;
  readonly columns: Sections;
  /** Who has it; `nobody` for what no developer has. */
  postings(key: Key): Postings;
  readonly buffer: ArrayBuffer;
}

/**
 * What lists are kept of:
 * - concept: skills and languages with evidence, by concept id; with strengths
 * - place: by place id; contains the place's descendants
 * - role: matched at 25 or more, by role id; the strength is the tech-stack component for the role
 * - word: of topics, bios and repository names, normalised
 * - years: at least so many whole years on the platform
 * - hireable: flagged so; the one key `hireable:yes`
 */
export type KeyKind = "concept" | "place" | "role" | "word" | "years" | "hireable";
export type Key = `${KeyKind}:${string}`;

export function hasStrengths(key: Key): boolean {
  return key.startsWith("concept:") || key.startsWith("role:");
}

/** Decision 11: who is found by a role. */
export const roleMatchMin = 25;

export function generationOver(buffer: ArrayBuffer, extent: Extent, revision: number): Generation {
  const columns = sectionsOver(buffer, extent);
  return {
    revision,
    developers: extent.developers,
    columns,
    buffer,
    postings(key) {
      const list = findList(columns, key);
      return list === undefined ? nobody : postingsOf(columns, list, extent.developers);
    },
  };
}

function postingsOf(columns: Sections, list: number, developers: number): Postings {
  const count = columns.counts[list] as number;
  const start = columns.ordinalStarts[list] as number;
  const strengthStart = columns.strengthStarts[list] as number;
  const dense = isDense(count, developers);
  const strengths =
    strengthStart === noStrengths
      ? undefined
      : columns.strengths.subarray(strengthStart, strengthStart + (dense ? developers : count));
  if (dense) {
    const bits = columns.ordinals.subarray(start, start + bitsetWords(developers));
    return { count, bits, strengths };
  }
  return { count, ordinals: columns.ordinals.subarray(start, start + count), strengths };
}

/** Binary search in place: no key becomes a string at boot, however many words the pool has. */
function findList(columns: Sections, key: string): number | undefined {
  let low = 0;
  let high = columns.counts.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = compare(columns, middle, key);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** Below 0 when the list's key comes before `key`, by code unit, as `<` compares strings. */
function compare({ keyStarts, keyUnits }: Sections, list: number, key: string): number {
  const start = keyStarts[list] as number;
  const length = (keyStarts[list + 1] as number) - start;
  const shared = Math.min(length, key.length);
  for (let at = 0; at < shared; at++) {
    const difference = (keyUnits[start + at] as number) - key.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return length - key.length;
}
