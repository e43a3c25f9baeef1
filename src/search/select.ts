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
export type Clause<List = Postings> = readonly List[];

/**
 * A minimum that the lists of whole years cannot decide.
 *
 * @package
 */
export interface ExperienceMin<List = Postings> {
  /** 25 for 2.5 years. */
  readonly tenthsMin: number;
  /** Developers who have more for certain: those with the next whole year. */
  readonly certain: List;
}

/**
 * Selects the developers that fulfil a plan.
 *
 * @package
 */
export function selectByPlan(
  plan: {
    readonly conditions: readonly { readonly clauses: readonly Clause[] }[];
    readonly experienceMin: ExperienceMin | undefined;
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
    const kept = others.reduce((left, clause) => intersectClause(left, clause, developers), few);
    return sparse(kept);
  }
  const bits = combine([lists, ...others], developers);
  return { count: countBits(bits), bits, strengths: undefined };
}

/** Keeps the developers with at least so many tenths of years; looks only at those that no list of years decides. */
function withExperience(
  selected: Postings,
  { tenthsMin, certain }: ExperienceMin,
  { columns: { experience }, developers }: Generation,
): Postings {
  const sure = certain.bits ?? asBits([certain.ordinals], countBitsetWords(developers));
  const isSure = (ordinal: number) =>
    ((sure[ordinal >>> 5] as number) & (1 << (ordinal & 31))) !== 0;
  if (selected.ordinals) {
    const kept = new Uint32Array(selected.count);
    let length = 0;
    for (let at = 0; at < selected.count; at++) {
      const ordinal = selected.ordinals[at] as number;
      if (isSure(ordinal) || (experience[ordinal] as number) >= tenthsMin) kept[length++] = ordinal;
    }
    return sparse(kept.subarray(0, length));
  }
  const bits = selected.bits.slice();
  for (let word = 0; word < bits.length; word++) {
    for (
      let rest = (bits[word] as number) & ~(sure[word] as number);
      rest !== 0;
      rest &= rest - 1
    ) {
      const bit = rest & -rest;
      const ordinal = word * 32 + 31 - Math.clz32(bit);
      if ((experience[ordinal] as number) < tenthsMin) {
        bits[word] = (bits[word] as number) & ~bit;
      }
    }
  }
  return { count: countBits(bits), bits, strengths: undefined };
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

/** Seeking one candidate costs as much as setting the bits of so many developers. */
const seekWorth = 16;

/** The candidates that fulfil the clause. */
function intersectClause(candidates: Uint32Array, clause: Clause, developers: number): Uint32Array {
  const many = clause.flatMap(({ bits }) => bits ?? []);
  const few = clause.flatMap(({ ordinals }) => ordinals ?? []);
  const isFar = ({ length }: Uint32Array) => length > seekWorth * candidates.length;
  const [toSeek, toSet] = [few.filter(isFar), few.filter((ordinals) => !isFar(ordinals))];
  if (toSet.length > 0) many.push(asBits(toSet, countBitsetWords(developers)));
  const kept = many.length > 0 ? [intersectBits(candidates, many)] : [];
  kept.push(...toSeek.map((ordinals) => intersectOrdinals(candidates, ordinals)));
  return kept.reduce(union);
}

/**
 * The candidates in any of the bitsets, at least one. Whether a bit is set cannot be foreseen, so no branch depends on
 * it: each candidate is written, and the length grows only for those that stay.
 */
function intersectBits(candidates: Uint32Array, bitsets: readonly Uint32Array[]): Uint32Array {
  const [first, second = first, third = second, ...more] = bitsets;
  if (!first || !second || !third) throw new Error("There must be a bitset to look into.");
  const common = new Uint32Array(candidates.length);
  let length = 0;
  for (let each = 0; each < candidates.length; each++) {
    const ordinal = candidates[each] as number;
    const word = ordinal >>> 5;
    let any = (first[word] as number) | (second[word] as number) | (third[word] as number);
    for (let other = 0; other < more.length; other++) {
      any |= (more[other] as Uint32Array)[word] as number;
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

/** Intersects all clauses, word by word, in the one array that is returned. */
function combine(clauses: readonly Clause[], developers: number): Uint32Array {
  const words = countBitsetWords(developers);
  let result: Uint32Array | undefined;
  const alone: Uint32Array[] = [];
  for (const clause of clauses) {
    const many = clause.flatMap(({ bits }) => bits ?? []);
    const few = clause.flatMap(({ ordinals }) => ordinals ?? []);
    if (few.length > 0) many.push(asBits(few, words));
    const [first, second = first, third = second] = many;
    if (!first || !second || !third) continue;
    // Bits of few are valid only until the next clause, which a list that waits for another would outlive.
    if (many.length === 1 && few.length === 0) alone.push(first);
    else {
      result ??= new Uint32Array(words).fill(0xffffffff);
      if (many.length > 3) intersectAny(result, many);
      else intersectThree(result, first, second, third);
    }
  }
  for (let at = 0; at < alone.length; at += 2) {
    const first = alone[at] as Uint32Array;
    const second = alone[at + 1] ?? first;
    if (result) intersectBoth(result, first, second);
    else result = intersection(first, second);
  }
  return result ?? new Uint32Array(words);
}

function intersection(a: Uint32Array, b: Uint32Array): Uint32Array {
  const result = new Uint32Array(a.length);
  for (let word = 0; word < result.length; word++) {
    result[word] = (a[word] as number) & (b[word] as number);
  }
  return result;
}

function intersectBoth(result: Uint32Array, a: Uint32Array, b: Uint32Array): void {
  for (let word = 0; word < result.length; word++) {
    result[word] = (result[word] as number) & (a[word] as number) & (b[word] as number);
  }
}

function intersectThree(result: Uint32Array, a: Uint32Array, b: Uint32Array, c: Uint32Array): void {
  for (let word = 0; word < result.length; word++) {
    const any = (a[word] as number) | (b[word] as number) | (c[word] as number);
    result[word] = (result[word] as number) & any;
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
