/** The layout of a generation's buffer. The file is identical to the buffer, so loading needs no parsing. */
import { countBitsetWords, isDense } from "./postings.ts";

/** @package The element counts that determine the layout. */
export interface GenerationExtent {
  readonly developers: number;
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
  /** For each ordinal, the number of followers and one; 0 if unknown. */
  readonly followers: Uint32Array;
  readonly profile: Uint8Array;
  readonly activity: Uint8Array;
  /** For each ordinal, the tech-stack component of the best role. */
  readonly techStack: Uint8Array;
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

/** The type and the number of elements of each section, in the order of the buffer. */
function listSections(
  extent: GenerationExtent,
): Record<keyof GenerationSections, readonly [type: ElementType, elements: number]> {
  const { developers, lists } = extent;
  return {
    rowIds: [Uint32Array, developers],
    loginRanks: [Uint32Array, developers],
    experience: [Uint16Array, developers],
    bases: [Uint16Array, developers],
    followers: [Uint32Array, developers],
    profile: [Uint8Array, developers],
    activity: [Uint8Array, developers],
    techStack: [Uint8Array, developers],
    counts: [Uint32Array, lists],
    ordinalStarts: [Uint32Array, lists],
    strengthStarts: [Uint32Array, lists],
    keyStarts: [Uint32Array, lists + 1],
    keyUnits: [Uint16Array, extent.keyUnits],
    ordinals: [Uint32Array, extent.ordinals],
    strengths: [Uint8Array, extent.strengths],
  };
}

type ElementType = typeof Uint8Array | typeof Uint16Array | typeof Uint32Array;

/** @package Counts the bytes of the whole buffer, header included. */
export function countBytesNeeded(extent: GenerationExtent): number {
  let end = headerBytes;
  for (const [type, elements] of Object.values(listSections(extent))) {
    end += aligned(type.BYTES_PER_ELEMENT * elements);
  }
  return end;
}

/** @package Returns views of the buffer, not copies. The buffer must have `countBytesNeeded(extent)` bytes. */
export function viewSections(buffer: ArrayBuffer, extent: GenerationExtent): GenerationSections {
  let end = headerBytes;
  const views = Object.entries(listSections(extent)).map(([name, [Type, elements]]) => {
    const view = new Type(buffer, end, elements);
    end += aligned(view.byteLength);
    return [name, view];
  });
  return Object.fromEntries(views);
}

/**
 * @package Assigns a position to the ordinals and strengths of each list, and counts them.
 * @param counts the number of developers in each list.
 */
export function layOutLists(
  counts: Uint32Array,
  isStrong: (list: number) => boolean,
  developers: number,
) {
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
