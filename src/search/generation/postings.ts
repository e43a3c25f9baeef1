/** The developers with one property: a sorted array of ordinals if they are few, a bitset if they are many. */
export type Postings = SparsePostings | DensePostings;

export interface SparsePostings {
  readonly count: number;
  /** The ordinals in ascending order. */
  readonly ordinals: Uint32Array;
  readonly bits?: undefined;
  /** For each ordinal, a strength from 0 to 100. Undefined for a list without strengths. */
  readonly strengths: Uint8Array | undefined;
}

export interface DensePostings {
  readonly count: number;
  readonly ordinals?: undefined;
  /** A developer's bit is bit `ordinal & 31` of word `ordinal >>> 5`. */
  readonly bits: Uint32Array;
  /** For each ordinal, the strength. It is 0 for developers outside the list. */
  readonly strengths: Uint8Array | undefined;
}

export const emptyPostings: Postings = {
  count: 0,
  ordinals: new Uint32Array(0),
  strengths: undefined,
};

export function toPostings(ordinals: Uint32Array): SparsePostings {
  return { count: ordinals.length, ordinals, strengths: undefined };
}

export function isDense(count: number, developers: number): boolean {
  return count * 16 >= developers;
}

/** Returns the number of 32-bit words of a bitset over all ordinals. */
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

/**
 * Joins lists of one generation. Each developer gets the greatest strength of any list.
 * @param strengthOfOthers the strength of all developers in a list without strengths.
 */
export function joinPostings(lists: readonly Postings[], strengthOfOthers: number): Postings {
  const crowded = lists.find(({ bits }) => bits !== undefined);
  if (!crowded?.bits) return joinSparse(lists, strengthOfOthers);
  const bits = crowded.bits.slice();
  const strengths = new Uint8Array(bits.length * 32);
  for (const list of lists) {
    if (list === crowded && list.strengths) strengths.set(list.strengths);
    else {
      walkOrdinals(list, (ordinal, strength = strengthOfOthers) => {
        const word = ordinal >>> 5;
        bits[word] = (bits[word] as number) | (1 << (ordinal & 31));
        strengths[ordinal] = Math.max(strengths[ordinal] as number, strength);
      });
    }
  }
  return { count: countBits(bits), bits, strengths };
}

function joinSparse(lists: readonly Postings[], strengthOfOthers: number): Postings {
  const { ordinals, count } = gatherPostings(lists);
  if (!ordinals) throw new Error("Sparse lists give a sparse list.");
  const strengths = new Uint8Array(count);
  for (const list of lists) {
    let at = 0;
    walkOrdinals(list, (ordinal, strength = strengthOfOthers) => {
      while (ordinals[at] !== ordinal) at++;
      strengths[at] = Math.max(strengths[at] as number, strength);
    });
  }
  return { count, ordinals, strengths };
}

/** Visits the developers of a list in ascending order. */
export function walkOrdinals(
  { ordinals, bits, strengths }: Postings,
  visit: (ordinal: number, strength: number | undefined) => void,
): void {
  if (ordinals) {
    for (let at = 0; at < ordinals.length; at++) visit(ordinals[at] as number, strengths?.[at]);
    return;
  }
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
      const ordinal = word * 32 + 31 - Math.clz32(rest & -rest);
      visit(ordinal, strengths?.[ordinal]);
    }
  }
}

/** Returns the ordinals of the list, ascending. */
export function listOrdinals(list: Postings): Uint32Array {
  if (list.ordinals) return list.ordinals;
  const listed = new Uint32Array(list.count);
  let length = 0;
  walkOrdinals(list, (ordinal) => {
    listed[length++] = ordinal;
  });
  return listed;
}

/** Returns all developers in any of the lists, without strengths. */
export function gatherPostings(lists: readonly Postings[]): Postings {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  const all = new Uint32Array(lists.reduce((sum, { count }) => sum + count, 0));
  let length = 0;
  for (const list of lists) {
    walkOrdinals(list, (ordinal) => {
      all[length++] = ordinal;
    });
  }
  all.sort();
  const ordinals = all.filter((ordinal, at) => ordinal !== all[at - 1]);
  return { count: ordinals.length, ordinals, strengths: undefined };
}

/**
 * Returns the first position from `from` on with an ordinal of at least `wanted`. Without such a position, returns the array's
 * length.
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

/** The number of set bits of each 16-bit number. */
const bitsOfHalf = new Uint8Array(0x1_0000);
for (let half = 1; half < bitsOfHalf.length; half++) {
  bitsOfHalf[half] = (bitsOfHalf[half >>> 1] as number) + (half & 1);
}

export function countWord(word: number): number {
  return (bitsOfHalf[word & 0xffff] as number) + (bitsOfHalf[word >>> 16] as number);
}

export function countBits(words: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number;
    count += (bitsOfHalf[word & 0xffff] as number) + (bitsOfHalf[word >>> 16] as number);
  }
  return count;
}
