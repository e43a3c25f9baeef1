import { asc, eq } from "drizzle-orm";
import type { Statements } from "../../postgres/database.ts";
import { createKnownTerms, type KnownTerms } from "./blocks/known-terms.ts";
import { type CachedLists, createListCache } from "./blocks/read-blocks.ts";
import type { StoredGeneration } from "./generation-rows.ts";
import { blocks } from "./tables.ts";

/**
 * @package The data that a node holds in memory for the generation it searches: some numbers for each block, and a
 * cache of lists.
 */
export interface GenerationInUse extends StoredGeneration {
  readonly terms: KnownTerms;
  readonly cached: CachedLists;
  /** Returns the highest base score in the block. */
  getTopBase(block: number): number;
  /** Returns a function that gives the base score of an ordinal in the block. Call it with ascending ordinals. */
  readBases(block: number): (at: number) => number;
  /** Returns the highest score in the block for a query without a role or skills. */
  getCeiling(block: number): number;
  /** Returns the range of ordinals with this base score. Its end is exclusive. */
  getRun(base: number): { readonly from: number; readonly to: number };
}

/** @package A generation, and the statements of the query that searches it. */
export interface SearchedIndex {
  readonly statements: Statements;
  readonly generation: GenerationInUse;
}

/** @package */
export async function openGeneration(
  statements: Statements,
  stored: StoredGeneration,
): Promise<GenerationInUse> {
  const rows = await statements
    .select({ ceiling: blocks.ceiling })
    .from(blocks)
    .where(eq(blocks.generation, stored.id))
    .orderBy(asc(blocks.block));
  const { baseCounts, blockSize } = stored;
  // The first ordinal with each base score. It equals the number of developers with a higher base score.
  const starts = new Uint32Array(baseCounts.length);
  for (let base = baseCounts.length - 2; base >= 0; base--) {
    starts[base] = (starts[base + 1] as number) + (baseCounts[base + 1] as number);
  }
  const ends = baseCounts.map((count, base) => (starts[base] as number) + count);
  const findBase = (ordinal: number, from: number) => {
    let base = from;
    while (base > 0 && (ends[base] as number) <= ordinal) base--;
    return base;
  };
  const topBases = rows.map((_, block) => findBase(block * blockSize, baseCounts.length - 1));
  const readBases = (block: number) => {
    const first = block * blockSize;
    let base = topBases[block] as number;
    return (at: number) => {
      base = findBase(first + at, base);
      return base;
    };
  };
  return {
    ...stored,
    terms: createKnownTerms(stored),
    cached: createListCache(),
    getTopBase: (block) => topBases[block] ?? 0,
    readBases,
    getCeiling: (block) => rows[block]?.ceiling ?? 0,
    getRun: (base) => ({ from: starts[base] ?? 0, to: ends[base] ?? 0 }),
  };
}
