import type { Generation } from "./generation/generation.ts";
import {
  countBits,
  countBitsetWords,
  emptyPostings,
  listOrdinals,
  type Postings,
  seekOrdinal,
  toPostings,
} from "./generation/postings.ts";

/** @package One condition: a developer must be in at least one of the lists. */
export type Clause<List = Postings> = readonly List[];

/** @package The least and the greatest experience in tenths of a year: 25 for 2.5 years. */
export interface ExperienceRange {
  readonly tenthsMin: number;
  readonly tenthsMax: number;
}

/** @package Selects the developers that fulfill a plan. */
export function selectByPlan(
  {
    clauses,
    experience,
  }: { readonly clauses: readonly Clause[]; readonly experience: ExperienceRange },
  generation: Generation,
): Postings {
  const selection = selectByClauses(clauses, generation);
  return isTested(experience)
    ? selectInRange(selection, experience, generation.columns.experience)
    : selection;
}

/** @package Whether people must be compared with the range. A minimum of whole years is a condition with a list. */
export function isTested({ tenthsMin, tenthsMax }: ExperienceRange): boolean {
  return tenthsMin % 10 !== 0 || tenthsMax < Number.POSITIVE_INFINITY;
}

/** @package @param experience tenths of years, by ordinal. */
export function selectInRange(
  selected: Postings,
  { tenthsMin, tenthsMax }: ExperienceRange,
  experience: ArrayLike<number>,
): Postings {
  const isInRange = (ordinal: number) => {
    const tenths = experience[ordinal] as number;
    return tenths >= tenthsMin && tenths <= tenthsMax;
  };
  return toPostings(listOrdinals(selected).filter(isInRange));
}

/**
 * Selects the developers that fulfill every clause. It starts with the clause with the fewest developers, and looks these up in
 * the other clauses.
 * @package
 * @param clauses at least one.
 * @returns a list whose strengths have no meaning. Its arrays may belong to the generation, so do not change them.
 */
export function selectByClauses(
  clauses: readonly Clause[],
  { developers }: Pick<Generation, "developers">,
): Postings {
  const [driver, ...others] = clauses.toSorted((a, b) => bound(a) - bound(b));
  if (!driver) throw new Error("A selection needs at least one clause.");
  const lists = driver.filter((list) => list.count > 0);
  const [only] = lists;
  if (!only) return emptyPostings;
  if (lists.length === 1 && others.length === 0) return only;
  const few = mergeSparse(lists, developers);
  if (few) {
    const remaining = others.reduce(
      (left, clause) => intersectClause(left, clause, developers),
      few,
    );
    return toPostings(remaining);
  }
  const bits = combine([lists, ...others], developers);
  return { count: countBits(bits), bits, strengths: undefined };
}

/** Returns an upper bound of the number of developers that fulfill the clause. */
function bound(clause: Clause): number {
  return clause.reduce((sum, list) => sum + list.count, 0);
}

/** Merges the lists into one ascending array, or returns `undefined` if bits are cheaper. */
function mergeSparse(lists: Clause, developers: number): Uint32Array | undefined {
  const [only] = lists;
  if (only && lists.length === 1) return only.ordinals;
  // Merging copies the array once for each list. Combining bitsets takes one pass over all words.
  if (bound(lists) * lists.length * 8 > developers) return undefined;
  let merged = new Uint32Array(0);
  for (const { ordinals } of lists) {
    if (!ordinals) return undefined;
    merged = union(merged, ordinals);
  }
  return merged;
}

function union(a: Uint32Array, b: Uint32Array): Uint32Array<ArrayBuffer> {
  const merged = new Uint32Array(a.length + b.length);
  let atA = 0;
  let atB = 0;
  let length = 0;
  while (atA < a.length && atB < b.length) {
    const nextA = a[atA] as number;
    const nextB = b[atB] as number;
    merged[length++] = Math.min(nextA, nextB);
    if (nextA <= nextB) atA++;
    if (nextB <= nextA) atB++;
  }
  merged.set(a.subarray(atA), length);
  merged.set(b.subarray(atB), length + a.length - atA);
  return merged.subarray(0, length + a.length - atA + b.length - atB);
}

/** Seeking one candidate costs as much as setting the bits of this many developers. */
const seekWorth = 16;

/** Returns the candidates that fulfill the clause. */
function intersectClause(candidates: Uint32Array, clause: Clause, developers: number): Uint32Array {
  const isFar = ({ ordinals }: Postings) =>
    ordinals !== undefined && ordinals.length > seekWorth * candidates.length;
  const [toSeek, others] = [clause.filter(isFar), clause.filter((list) => !isFar(list))];
  const few = others.filter(({ bits }) => !bits);
  const bitsets = others.flatMap(({ bits }) => bits ?? []);
  if (few.length > 0) bitsets.push(asBits(few, countBitsetWords(developers)));
  const remaining = bitsets.length > 0 ? [intersectBits(candidates, bitsets)] : [];
  for (const { ordinals } of toSeek) {
    if (ordinals) remaining.push(intersectOrdinals(candidates, ordinals));
  }
  return remaining.reduce(union);
}

/**
 * Returns the candidates in any of the bitsets. To avoid a branch, the loop writes every candidate, and advances only past those
 * selected.
 */
function intersectBits(candidates: Uint32Array, bitsets: readonly Uint32Array[]): Uint32Array {
  const common = new Uint32Array(candidates.length);
  let length = 0;
  for (let each = 0; each < candidates.length; each++) {
    const ordinal = candidates[each] as number;
    const word = ordinal >>> 5;
    let any = 0;
    for (let other = 0; other < bitsets.length; other++) {
      any |= (bitsets[other] as Uint32Array)[word] as number;
    }
    common[length] = ordinal;
    length += (any >>> (ordinal & 31)) & 1;
  }
  return common.subarray(0, length);
}

function intersectOrdinals(candidates: Uint32Array, ordinals: Uint32Array): Uint32Array {
  const isShorter = ordinals.length < candidates.length;
  const [shorter, longer] = isShorter ? [ordinals, candidates] : [candidates, ordinals];
  const common = new Uint32Array(shorter.length);
  let length = 0;
  let at = 0;
  for (let each = 0; each < shorter.length; each++) {
    const ordinal = shorter[each] as number;
    at = seekOrdinal(longer, at, ordinal);
    if (longer[at] === ordinal) common[length++] = ordinal;
  }
  return common.subarray(0, length);
}

/** Returns a bitset of the developers that fulfill all clauses. */
function combine(clauses: readonly Clause[], developers: number): Uint32Array {
  const words = countBitsetWords(developers);
  const result = new Uint32Array(words).fill(0xffffffff);
  for (const clause of clauses) {
    const [only] = clause;
    const any = clause.length === 1 && only?.bits ? only.bits : asBits(clause, words);
    for (let word = 0; word < words; word++) {
      result[word] = (result[word] as number) & (any[word] as number);
    }
  }
  return result;
}

let scratch = new Uint32Array(0);

/**
 * Returns a bitset of all developers in any of the lists. The bitset is valid until the next call, because calls share one
 * buffer.
 */
function asBits(lists: readonly Postings[], words: number): Uint32Array {
  if (scratch.length === words) scratch.fill(0);
  else scratch = new Uint32Array(words);
  const all = scratch;
  for (const { ordinals, bits } of lists) {
    if (bits) {
      for (let word = 0; word < words; word++) {
        all[word] = (all[word] as number) | (bits[word] as number);
      }
    } else {
      for (let each = 0; each < ordinals.length; each++) {
        const ordinal = ordinals[each] as number;
        const word = ordinal >>> 5;
        all[word] = (all[word] as number) | (1 << (ordinal & 31));
      }
    }
  }
  return all;
}
