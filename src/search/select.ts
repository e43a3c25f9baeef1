import type { Generation } from "./generation/generation.ts";
import { bitsetWords, nobody, type Postings, popcount, seek } from "./generation/postings.ts";

/** One condition: whoever is in any of the lists. */
export type Clause = readonly Postings[];

/**
 * Who fulfils every clause. The clause with the fewest people drives: where they are few, they are
 * walked one by one and looked up in the others; where they are many, whole words of bits are
 * combined, 32 people at a time. So the cost follows the rarest thing asked for, not the pool.
 *
 * @param clauses at least one.
 * @returns without strengths; its array may be the generation's own: read only.
 */
export function select(clauses: readonly Clause[], { developers }: Generation): Postings {
  const [driver, ...others] = clauses.toSorted((a, b) => bound(a) - bound(b));
  if (!driver) throw new Error("A selection needs at least one clause.");
  const lists = driver.filter((list) => list.count > 0);
  if (lists.length === 0) return nobody;
  const few = listed(lists, developers);
  if (few) return sparse(others.reduce(keep, few));
  const [first, ...rest] = [lists, ...others];
  let bits = anyOf(first as Clause, developers);
  for (const clause of rest) bits = both(bits, anyOf(clause, developers));
  return { count: population(bits), bits, strengths: undefined };
}

/** Those of the selection with at least so many tenths of years. */
export function withExperience(selected: Postings, tenthsMin: number, from: Generation): Postings {
  const { experience } = from.columns;
  if (selected.ordinals) {
    return sparse(selected.ordinals.filter((at) => (experience[at] as number) >= tenthsMin));
  }
  const bits = selected.bits.map((word, at) => {
    let kept = word;
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const ordinal = at * 32 + 31 - Math.clz32(bit);
      if ((experience[ordinal] as number) < tenthsMin) kept &= ~bit;
    }
    return kept;
  });
  return { count: population(bits), bits, strengths: undefined };
}

/** The most people that the clause can let through. */
function bound(clause: Clause): number {
  return clause.reduce((sum, list) => sum + list.count, 0);
}

/** The people of the lists in one ascending array, or `undefined` when bits are the cheaper way. */
function listed(lists: Clause, developers: number): Uint32Array | undefined {
  const [only] = lists;
  if (only && lists.length === 1) return only.ordinals;
  // Merging costs its length for each list; a bitset costs a pass over all words, whoever is asked for.
  if (bound(lists) * lists.length * 8 > developers) return undefined;
  let merged = new Uint32Array(0);
  for (const { ordinals } of lists) {
    if (!ordinals) return undefined;
    merged = union(merged, ordinals);
  }
  return merged;
}

function sparse(ordinals: Uint32Array): Postings {
  return { count: ordinals.length, ordinals, strengths: undefined };
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

/** Those of the candidates whom the clause lets through. */
function keep(candidates: Uint32Array, clause: Clause): Uint32Array {
  const [only] = clause;
  if (only && clause.length === 1) return keepIn(candidates, only);
  return clause.map((list) => keepIn(candidates, list)).reduce(union, new Uint32Array(0));
}

function keepIn(candidates: Uint32Array, list: Postings): Uint32Array {
  const kept = new Uint32Array(Math.min(candidates.length, list.count));
  let length = 0;
  if (list.bits) {
    const { bits } = list;
    for (let each = 0; each < candidates.length; each++) {
      const ordinal = candidates[each] as number;
      if (((bits[ordinal >>> 5] as number) & (1 << (ordinal & 31))) !== 0) kept[length++] = ordinal;
    }
  } else {
    const { ordinals } = list;
    let at = 0;
    for (let each = 0; each < candidates.length; each++) {
      const ordinal = candidates[each] as number;
      at = seek(ordinals, at, ordinal);
      if (ordinals[at] === ordinal) kept[length++] = ordinal;
    }
  }
  return kept.subarray(0, length);
}

/** A clause as bits: the list's own where it is the only one. */
function anyOf(clause: Clause, developers: number): Uint32Array {
  const [only] = clause;
  if (only?.bits && clause.length === 1) return only.bits;
  const any = new Uint32Array(bitsetWords(developers));
  for (const list of clause) {
    if (list.bits) {
      const { bits } = list;
      for (let word = 0; word < any.length; word++) {
        any[word] = (any[word] as number) | (bits[word] as number);
      }
    } else {
      const { ordinals } = list;
      for (let each = 0; each < ordinals.length; each++) {
        const ordinal = ordinals[each] as number;
        any[ordinal >>> 5] = (any[ordinal >>> 5] as number) | (1 << (ordinal & 31));
      }
    }
  }
  return any;
}

function both(a: Uint32Array, b: Uint32Array): Uint32Array {
  const common = new Uint32Array(a.length);
  for (let word = 0; word < common.length; word++) {
    common[word] = (a[word] as number) & (b[word] as number);
  }
  return common;
}

function population(bits: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) count += popcount(bits[word] as number);
  return count;
}
