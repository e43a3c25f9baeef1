/**
 * The layout of a generation's buffer, which is identical to the file, so that loading needs no parsing. Six numbers
 * determine the whole layout, so the header stays small.
 */

import { countBitsetWords, isDense } from "./postings.ts";

/** @package The element counts that determine the layout. */
export interface GenerationExtent {
  readonly developers: number;
  readonly loginUnits: number;
  readonly lists: number;
  readonly keyUnits: number;
  readonly ordinals: number;
  readonly strengths: number;
}

export interface GenerationSections {
  /** By ordinal: the developers' row ids in the pool. */
  readonly rowIds: Uint32Array;
  /** By ordinal: rank among all lower-cased logins, which breaks ties of score. */
  readonly loginRanks: Uint32Array;
  /** By ordinal: years on the platform, in tenths. */
  readonly experience: Uint16Array;
  /** By ordinal, descending: the base score from `computeBase`. */
  readonly bases: Uint16Array;
  readonly profile: Uint8Array;
  readonly activity: Uint8Array;
  /** By ordinal: the best role's tech-stack component. */
  readonly techStack: Uint8Array;
  /** By login rank: the start of the lower-cased login in `loginUnits`. The last entry is the end. */
  readonly loginStarts: Uint32Array;
  readonly loginUnits: Uint16Array;
  /** By list: the number of developers. */
  readonly counts: Uint32Array;
  /** By list: the start of its ordinals (or bits) in `ordinals`. */
  readonly ordinalStarts: Uint32Array;
  /** By list: the start of its strengths in `strengths`, or `noStrengths`. */
  readonly strengthStarts: Uint32Array;
  /** By list: the start of its key in `keyUnits`. Keys are sorted by code unit. The last entry is the end. */
  readonly keyStarts: Uint32Array;
  readonly keyUnits: Uint16Array;
  readonly ordinals: Uint32Array;
  readonly strengths: Uint8Array;
}

export const headerBytes = 128;
export const noStrengths = 0xffffffff;

type Size = readonly [elementBytes: 1 | 2 | 4, elements: number];

function sizes(extent: GenerationExtent): Record<keyof GenerationSections, Size> {
  const { developers, lists } = extent;
  return {
    rowIds: [4, developers],
    loginRanks: [4, developers],
    experience: [2, developers],
    bases: [2, developers],
    profile: [1, developers],
    activity: [1, developers],
    techStack: [1, developers],
    loginStarts: [4, developers + 1],
    loginUnits: [2, extent.loginUnits],
    counts: [4, lists],
    ordinalStarts: [4, lists],
    strengthStarts: [4, lists],
    keyStarts: [4, lists + 1],
    keyUnits: [2, extent.keyUnits],
    ordinals: [4, extent.ordinals],
    strengths: [1, extent.strengths],
  };
}

/** @package Counts the bytes of the whole buffer, header included. */
export function countBytesNeeded(extent: GenerationExtent): number {
  let end = headerBytes;
  for (const [elementBytes, elements] of Object.values(sizes(extent))) {
    end += aligned(elementBytes * elements);
  }
  return end;
}

/** @package Returns views of the buffer, not copies. The buffer must have `countBytesNeeded(extent)` bytes. */
export function viewSections(buffer: ArrayBuffer, extent: GenerationExtent): GenerationSections {
  const table = sizes(extent);
  const starts = new Map<string, number>();
  let end = headerBytes;
  for (const [name, [elementBytes, elements]] of Object.entries(table)) {
    starts.set(name, end);
    end += aligned(elementBytes * elements);
  }
  const words = (name: keyof GenerationSections) =>
    new Uint32Array(buffer, starts.get(name), table[name][1]);
  const halves = (name: keyof GenerationSections) =>
    new Uint16Array(buffer, starts.get(name), table[name][1]);
  const bytes = (name: keyof GenerationSections) =>
    new Uint8Array(buffer, starts.get(name), table[name][1]);
  return {
    rowIds: words("rowIds"),
    loginRanks: words("loginRanks"),
    experience: halves("experience"),
    bases: halves("bases"),
    profile: bytes("profile"),
    activity: bytes("activity"),
    techStack: bytes("techStack"),
    loginStarts: words("loginStarts"),
    loginUnits: halves("loginUnits"),
    counts: words("counts"),
    ordinalStarts: words("ordinalStarts"),
    strengthStarts: words("strengthStarts"),
    keyStarts: words("keyStarts"),
    keyUnits: halves("keyUnits"),
    ordinals: words("ordinals"),
    strengths: bytes("strengths"),
  };
}

/** The start of each list, and the total number of elements. */
export interface ListSpans {
  readonly ordinalStarts: Uint32Array;
  readonly strengthStarts: Uint32Array;
  readonly ordinals: number;
  readonly strengths: number;
}

/** @package Assigns a position to the ordinals and strengths of each list. @param counts the number of developers by list. */
export function layOutLists(
  counts: Uint32Array,
  isStrong: (list: number) => boolean,
  developers: number,
): ListSpans {
  const ordinalStarts = new Uint32Array(counts.length);
  const strengthStarts = new Uint32Array(counts.length).fill(noStrengths);
  let [ordinals, strengths] = [0, 0];
  for (let list = 0; list < counts.length; list++) {
    const count = counts[list] as number;
    const dense = isDense(count, developers);
    ordinalStarts[list] = ordinals;
    ordinals += dense ? countBitsetWords(developers) : count;
    if (isStrong(list)) {
      strengthStarts[list] = strengths;
      strengths += dense ? developers : count;
    }
  }
  if (ordinals >= noStrengths || strengths >= noStrengths) {
    throw new Error("The pool is too large for one index: its lists exceed 32-bit positions.");
  }
  return { ordinalStarts, strengthStarts, ordinals, strengths };
}

/** Rounds up to a cache line, which every element size divides. */
function aligned(bytes: number): number {
  return Math.ceil(bytes / 64) * 64;
}
