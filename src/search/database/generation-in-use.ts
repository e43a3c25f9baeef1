import { asc, eq } from "drizzle-orm";
import type { Statements } from "../../postgres/database.ts";
import { createKnownTerms, type KnownTerms } from "./blocks/known-terms.ts";
import type { StoredGeneration } from "./generation-rows.ts";
import { blocks } from "./tables.ts";

/** @package What a node holds of the generation that it searches: some numbers for each block, and what was asked lately. */
export interface GenerationInUse extends StoredGeneration {
  readonly terms: KnownTerms;
  /** The highest base in the block. */
  getTopBase(block: number): number;
  /** By ordinal in the block, descending. */
  listBases(block: number): Uint16Array;
  /** The highest score in the block of those for whom nothing is asked but a place. */
  getCeiling(block: number): number;
  /** Where the ordinals with this base begin, and where they end. */
  getRun(base: number): { readonly from: number; readonly to: number };
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
  const { baseCounts, blockSize, developers } = stored;
  // By base: how many developers have a higher one, and so the first ordinal with it.
  const starts = new Uint32Array(baseCounts.length);
  for (let base = baseCounts.length - 2; base >= 0; base--) {
    starts[base] = (starts[base + 1] as number) + (baseCounts[base + 1] as number);
  }
  const getRun = (base: number) => {
    const from = starts[base] ?? 0;
    return { from, to: from + (baseCounts[base] ?? 0) };
  };
  const listBases = (block: number) => {
    const first = block * blockSize;
    const bases = new Uint16Array(Math.max(0, Math.min(blockSize, developers - first)));
    let base = baseCounts.length - 1;
    for (let at = 0; at < bases.length; base--) {
      const end = Math.min(getRun(base).to - first, bases.length);
      if (end > at) bases.fill(base, at, end);
      at = Math.max(at, end);
    }
    return bases;
  };
  const topBases = rows.map((_, block) => listBases(block)[0] ?? 0);
  return {
    ...stored,
    terms: createKnownTerms(stored),
    getTopBase: (block) => topBases[block] ?? 0,
    listBases,
    getCeiling: (block) => rows[block]?.ceiling ?? 0,
    getRun,
  };
}
