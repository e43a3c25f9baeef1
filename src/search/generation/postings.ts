/**
 * The developers with one property: a sorted array of ordinals if they are few, a bitset if they are many.
 * From one developer in sixteen on, the bitset is smaller and faster to intersect.
 */
export type Postings = SparsePostings | DensePostings;

export interface SparsePostings {
  readonly count: number;
  /** Ascending. */
  readonly ordinals: Uint32Array;
  readonly bits?: undefined;
  /** 0 to 100, parallel to the ordinals; absent in lists that only filter and in lists of words. */
  readonly strengths: Uint8Array | undefined;
}

export interface DensePostings {
  readonly count: number;
  readonly ordinals?: undefined;
  /** Bit `ordinal & 31` of word `ordinal >>> 5`. */
  readonly bits: Uint32Array;
  /** By ordinal, 0 outside the list. */
  readonly strengths: Uint8Array | undefined;
}

export const emptyPostings: Postings = {
  count: 0,
  ordinals: new Uint32Array(0),
  strengths: undefined,
};

export function isDense(count: number, developers: number): boolean {
  return count * 16 >= developers;
}

/** The number of 32-bit words of a bitset over all ordinals. */
export function countBitsetWords(developers: number): number {
  return (developers + 31) >>> 5;
}

export function hasOrdinal(postings: Postings, ordinal: number): boolean {
  if (postings.bits) return ((postings.bits[ordinal >>> 5] ?? 0) & (1 << (ordinal & 31))) !== 0;
  return postings.ordinals[seekOrdinal(postings.ordinals, 0, ordinal)] === ordinal;
}

/** @returns 0 if the list has no strengths or the developer is not in it. */
export function getStrength({ ordinals, strengths }: Postings, ordinal: number): number {
  if (!ordinals) return strengths?.[ordinal] ?? 0;
  const position = seekOrdinal(ordinals, 0, ordinal);
  return ordinals[position] === ordinal ? (strengths?.[position] ?? 0) : 0;
}

/** Joins lists, each developer with the greatest strength; in a list without strengths with the given one. */
export function joinPostings(lists: readonly Postings[], strengthOfOthers: number): Postings {
  const strongest = new Map<number, number>();
  for (const list of lists) {
    for (const ordinal of list.ordinals ?? listBits(list.bits)) {
      const strength = list.strengths ? getStrength(list, ordinal) : strengthOfOthers;
      strongest.set(ordinal, Math.max(strength, strongest.get(ordinal) ?? 0));
    }
  }
  const ordinals = Uint32Array.from(strongest.keys()).sort();
  const strengths = Uint8Array.from(ordinals, (ordinal) => strongest.get(ordinal) ?? 0);
  return { count: ordinals.length, ordinals, strengths };
}

/** Everybody in any of the lists, without strengths. */
export function gatherPostings(lists: readonly Postings[]): Postings {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  const all = new Uint32Array(lists.reduce((sum, { count }) => sum + count, 0));
  let length = 0;
  for (const { ordinals, bits } of lists) {
    for (const ordinal of ordinals ?? listBits(bits)) all[length++] = ordinal;
  }
  all.sort();
  const ordinals = all.filter((ordinal, at) => ordinal !== all[at - 1]);
  return { count: ordinals.length, ordinals, strengths: undefined };
}

function* listBits(bits: Uint32Array): Generator<number> {
  for (const [word, held] of bits.entries()) {
    for (let rest = held; rest !== 0; rest &= rest - 1) {
      yield word * 32 + 31 - Math.clz32(rest & -rest);
    }
  }
}

/**
 * Finds the first position at or after `from` whose ordinal is at least `wanted`; the length when there is none.
 * Strides double at first, so the cost grows with the logarithm of the distance, not with the distance.
 */
export function seekOrdinal(ordinals: Uint32Array, from: number, wanted: number): number {
  const end = ordinals.length;
  if (from >= end || (ordinals[from] as number) >= wanted) return from;
  let stride = 1;
  let low = from;
  while (low + stride < end && (ordinals[low + stride] as number) < wanted) {
    low += stride;
    stride *= 2;
  }
  let high = Math.min(low + stride, end);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((ordinals[middle] as number) < wanted) low = middle;
    else high = middle;
  }
  return high;
}

/** Counts the set bits of a 32-bit word. Source: Warren, Hacker's Delight, 5-1. */
export function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
