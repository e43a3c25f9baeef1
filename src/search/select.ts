import type { Generation } from "./generation/generation.ts";
import {
  countBits,
  countBitsetWords,
  emptyPostings,
  type Postings,
  seekOrdinal,
} from "./generation/postings.ts";

/**
 * One condition: a developer must be in any of the lists.
 *
 * @package
 */
export type Clause = readonly Postings[];

/**
 * Selects the developers that fulfil a plan.
 *
 * @package
 */
export function selectByPlan(
  plan: {
    readonly conditions: readonly { readonly clauses: readonly Clause[] }[];
    readonly experienceMin: number | undefined;
  },
  generation: Generation,
): Postings {
  const selection = selectByClauses(
    plan.conditions.flatMap(({ clauses }) => clauses),
    generation,
  );
  return plan.experienceMin === undefined
    ? selection
    : withExperience(selection, plan.experienceMin, generation);
}

/**
 * Selects the developers that fulfil every clause. The clause with the fewest developers goes first: if they are few,
 * each is looked up in the other clauses; if they are many, whole words of bits are combined, 32 developers
 * at a time. So the cost depends on the rarest condition, not on the size of the pool.
 *
 * @package
 * @param clauses at least one.
 * @returns without meaningful strengths; the arrays may belong to the generation, so they are read-only.
 */
export function selectByClauses(clauses: readonly Clause[], { developers }: Generation): Postings {
  const [driver, ...others] = clauses.toSorted((a, b) => bound(a) - bound(b));
  if (!driver) throw new Error("A selection needs at least one clause.");
  const lists = driver.filter((list) => list.count > 0);
  const [only] = lists;
  if (!only) return emptyPostings;
  if (lists.length === 1 && others.length === 0) return only;
  const few = mergeSparse(lists, developers);
  if (few) return sparse(others.reduce(intersectClause, few));
  const bits = combine([lists, ...others], developers);
  return { count: population(bits), bits, strengths: undefined };
}

/** Keeps the developers with at least `tenthsMin` tenths of years. */
function withExperience(selected: Postings, tenthsMin: number, from: Generation): Postings {
  const { experience } = from.columns;
  if (selected.ordinals) {
    return sparse(selected.ordinals.filter((at) => (experience[at] as number) >= tenthsMin));
  }
  const bits = selected.bits.map((word, at) => {
    let remaining = word;
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const ordinal = at * 32 + 31 - Math.clz32(bit);
      if ((experience[ordinal] as number) < tenthsMin) remaining &= ~bit;
    }
    return remaining;
  });
  return { count: population(bits), bits, strengths: undefined };
}

/** The most developers that can fulfil the clause. */
function bound(clause: Clause): number {
  return clause.reduce((sum, list) => sum + list.count, 0);
}

/** Merges the lists into one ascending array, or returns `undefined` if bits are cheaper. */
function mergeSparse(lists: Clause, developers: number): Uint32Array | undefined {
  const [only] = lists;
  if (only && lists.length === 1) return only.ordinals;
  // Merging costs its length once for each list; a bitset costs a pass over all words.
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

/** The candidates that fulfil the clause. */
function intersectClause(candidates: Uint32Array, clause: Clause): Uint32Array {
  const [only] = clause;
  if (only && clause.length === 1) return intersectList(candidates, only);
  return clause.map((list) => intersectList(candidates, list)).reduce(union, new Uint32Array(0));
}

function intersectList(candidates: Uint32Array, list: Postings): Uint32Array {
  const common = new Uint32Array(Math.min(candidates.length, list.count));
  let length = 0;
  if (list.bits) {
    const { bits } = list;
    for (let each = 0; each < candidates.length; each++) {
      const ordinal = candidates[each] as number;
      if (((bits[ordinal >>> 5] as number) & (1 << (ordinal & 31))) !== 0) {
        common[length++] = ordinal;
      }
    }
  } else {
    const listIsShorter = list.count < candidates.length;
    const shorter = listIsShorter ? list.ordinals : candidates;
    const longer = listIsShorter ? candidates : list.ordinals;
    let at = 0;
    for (let each = 0; each < shorter.length; each++) {
      const ordinal = shorter[each] as number;
      at = seekOrdinal(longer, at, ordinal);
      if (longer[at] === ordinal) common[length++] = ordinal;
    }
  }
  return common.subarray(0, length);
}

/** Intersects all clauses, word by word, in the one array that is returned. */
function combine(clauses: readonly Clause[], developers: number): Uint32Array {
  const result = new Uint32Array(countBitsetWords(developers)).fill(0xffffffff);
  for (const clause of clauses) {
    const many = clause.flatMap(({ bits }) => bits ?? []);
    const few = clause.flatMap(({ ordinals }) => ordinals ?? []);
    if (few.length > 0) many.push(asBits(few, result.length));
    const [only] = many;
    if (only && many.length === 1) intersect(result, only);
    else intersectAny(result, many);
  }
  return result;
}

function intersect(result: Uint32Array, bits: Uint32Array): void {
  for (let word = 0; word < result.length; word++) {
    result[word] = (result[word] as number) & (bits[word] as number);
  }
}

function intersectAny(result: Uint32Array, bitsets: readonly Uint32Array[]): void {
  for (let word = 0; word < result.length; word++) {
    const left = result[word] as number;
    if (left === 0) continue;
    let any = 0;
    for (let each = 0; each < bitsets.length; each++) {
      any |= (bitsets[each] as Uint32Array)[word] as number;
    }
    result[word] = left & any;
  }
}

let scratch = new Uint32Array(0);

/** The result is valid until the next call: queries run one at a time, and a new array for each would only be garbage. */
function asBits(lists: readonly Uint32Array[], words: number): Uint32Array {
  if (scratch.length === words) scratch.fill(0);
  else scratch = new Uint32Array(words);
  for (const ordinals of lists) {
    for (let each = 0; each < ordinals.length; each++) {
      const ordinal = ordinals[each] as number;
      const word = ordinal >>> 5;
      scratch[word] = (scratch[word] as number) | (1 << (ordinal & 31));
    }
  }
  return scratch;
}

function population(bits: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) count += countBits(bits[word] as number);
  return count;
}
