/**
 * Who has something: a sorted array of ordinals where few have it, a bitset where many do.
 * From one developer in sixteen on, the bitset is the smaller of the two and the faster to intersect.
 */
export type Postings = SparsePostings | DensePostings;

export interface SparsePostings {
  readonly count: number;
  /** Ascending. */
  readonly ordinals: Uint32Array;
  readonly bits?: undefined;
  /** 0 to 100, beside the ordinals; absent where the list only filters, or is of words. */
  readonly strengths: Uint8Array | undefined;
}

export interface DensePostings {
  readonly count: number;
  readonly ordinals?: undefined;
  /** Bit `ordinal & 31` of word `ordinal >>> 5`. */
  readonly bits: Uint32Array;
  /** By ordinal, 0 for who is not in the list. */
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

/** Words of a bitset over all ordinals. */
export function countBitsetWords(developers: number): number {
  return (developers + 31) >>> 5;
}

export function hasOrdinal(postings: Postings, ordinal: number): boolean {
  if (postings.bits) return ((postings.bits[ordinal >>> 5] ?? 0) & (1 << (ordinal & 31))) !== 0;
  return postings.ordinals[seekOrdinal(postings.ordinals, 0, ordinal)] === ordinal;
}

/** 0 where the list keeps no strengths, and for who is not in it. */
export function getStrength({ ordinals, strengths }: Postings, ordinal: number): number {
  if (!ordinals) return strengths?.[ordinal] ?? 0;
  const position = seekOrdinal(ordinals, 0, ordinal);
  return ordinals[position] === ordinal ? (strengths?.[position] ?? 0) : 0;
}

/**
 * First position at or after `from` whose ordinal is at least `wanted`; the length when there is none.
 * Strides double first, so that walking a long list beside a short one costs the short one's length.
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

/** Set bits of a 32-bit word. Source: Warren, Hacker's Delight, 5-1. */
export function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
