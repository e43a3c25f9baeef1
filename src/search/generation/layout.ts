/** The layout of a generation's buffer. The file is identical to the buffer, so loading needs no parsing. */
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
  /** For each ordinal, the developer's row id in the pool. */
  readonly rowIds: Uint32Array;
  /** For each ordinal, the rank of the login among all lower-cased logins. Ranks decide between equal scores. */
  readonly loginRanks: Uint32Array;
  /** For each ordinal, the years on the platform, in tenths. */
  readonly experience: Uint16Array;
  /** For each ordinal, the base score from `computeBase`. Base scores descend. */
  readonly bases: Uint16Array;
  readonly profile: Uint8Array;
  readonly activity: Uint8Array;
  /** For each ordinal, the tech-stack component of the best role. */
  readonly techStack: Uint8Array;
  /** For each login rank, the start of the lower-cased login in `loginUnits`. The last entry is the end. */
  readonly loginStarts: Uint32Array;
  readonly loginUnits: Uint16Array;
  /** The number of developers in each list. */
  readonly counts: Uint32Array;
  /** The start of each list's ordinals or bits in `ordinals`. */
  readonly ordinalStarts: Uint32Array;
  /** The start of each list's strengths in `strengths`. `noStrengths` means that the list has none. */
  readonly strengthStarts: Uint32Array;
  /** The start of each list's key in `keyUnits`. Keys are sorted by code unit. The last entry is the end. */
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

/**
 * @package Assigns a position to the ordinals and strengths of each list. @param counts the number of developers in each list.
 */
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

/** Rounds up to a multiple of 64, which every element size divides. */
function aligned(bytes: number): number {
  return Math.ceil(bytes / 64) * 64;
}
