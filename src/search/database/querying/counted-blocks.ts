/** Counts a query's people block by block: the node where it keeps all that is asked for, the database elsewhere. */
import type { Statements } from "../../../postgres/database.ts";
import { countBits, emptyPostings, type Postings } from "../../generation/postings.ts";
import { listManyTerms, listTerms } from "../blocks/block-list.ts";
import {
  type BlockRange,
  type CountQuery,
  countBlocks,
  findBlocksOfFew,
  type ListSets,
} from "../blocks/count-blocks.ts";
import { createBlockEvaluator, selectInBlock } from "../blocks/evaluate-block.ts";
import { type BlockParts, listKeptBlocks } from "../blocks/read-blocks.ts";
import type { GenerationInUse } from "../generation-in-use.ts";
import { createCeiling } from "./ceiling.ts";
import { listScoring, type RankedClauses } from "./database-plan.ts";
import type { ReachingRange } from "./split-by-reach.ts";

/** @package A block in which the query may find people. */
export interface CountedBlock {
  readonly block: number;
  /** Undefined where it must be read to be counted. */
  readonly people: number | undefined;
  /** Undefined where it is found out when the block is ranked. */
  readonly selected: Postings | undefined;
  /** No score in the block is higher. */
  readonly ceiling: number;
  /** Undefined where it must be read to be ranked. */
  readonly parts: BlockParts | undefined;
}

/** In the first blocks, a node selects from the parts that it keeps, unless more lists than these are asked for. */
const keptTerms = 12;

/** @package The first blocks, of which the node keeps what it reads, in order of ordinal. */
export async function listFirstBlocks(
  statements: Statements,
  generation: GenerationInUse,
  plan: RankedClauses,
  blocks: BlockRange,
): Promise<readonly CountedBlock[]> {
  const ofFew = listBlocksOfFew(plan, generation, blocks);
  const isOfFew = new Set(ofFew.map(({ block }) => block));
  const kept = [...countKeptBlocks(generation, plan)].filter(({ block }) => !isOfFew.has(block));
  const known = [...ofFew, ...kept];
  const isMuchRead = listManyTerms(plan.clauses.flat()).size > keptTerms;
  const counted = await countInDatabase(statements, generation, plan, {
    ...{ blocks, except: known.map(({ block }) => block) },
    wanted: isMuchRead ? [[]] : undefined,
  });
  return [...known, ...counted].sort((a, b) => a.block - b.block);
}

/** @package The blocks after the first ones, in order of ordinal: only who may reach the threshold matters there. */
export async function listOtherBlocks(
  statements: Statements,
  generation: GenerationInUse,
  plan: RankedClauses,
  { sets, ...blocks }: ReachingRange,
): Promise<readonly CountedBlock[]> {
  const ofFew = listBlocksOfFew(plan, generation, blocks);
  const counted = await countInDatabase(statements, generation, plan, {
    ...{ blocks, except: ofFew.map(({ block }) => block) },
    wanted: sets,
  });
  return [...ofFew, ...counted].sort((a, b) => a.block - b.block);
}

/** A developer in a short list is in no other part, and is counted when the block is read. */
function listBlocksOfFew(
  { clauses }: RankedClauses,
  { blockSize }: GenerationInUse,
  { from, to }: BlockRange,
): readonly CountedBlock[] {
  const unread = { people: undefined, selected: undefined, parts: undefined };
  return [...findBlocksOfFew(clauses, blockSize)]
    .filter((block) => block >= from && block < to)
    .map((block) => ({ block, ...unread, ceiling: Number.POSITIVE_INFINITY }));
}

/** @param asked the people that are searched for; without it, the node works them out itself. */
async function countInDatabase(
  statements: Statements,
  generation: GenerationInUse,
  plan: RankedClauses,
  asked: Pick<CountQuery, "blocks" | "except"> & { readonly wanted: ListSets | undefined },
): Promise<readonly CountedBlock[]> {
  const { wanted } = asked;
  const terms = listScoring(plan).flatMap((list) => [...listTerms(list)]);
  const getCeiling = createCeiling(generation, plan.ranking);
  const counts = await countBlocks(statements, generation, {
    ...{ ...asked, clauses: plan.clauses, wanted: wanted ?? [] },
    scoring: wanted?.length === 0 ? [] : terms.filter(({ few }) => !few),
  });
  return counts.map(({ block, people, bits, ceilings }) => ({
    ...{ block, people, ceiling: getCeiling(block, ceilings), parts: undefined },
    selected: wanted && toSelected(bits),
  }));
}

function toSelected(bits: Uint32Array | undefined): Postings {
  return bits ? { count: countBits(bits), bits, strengths: undefined } : emptyPostings;
}

/** Counts in those blocks that need not be read. */
function* countKeptBlocks(
  generation: GenerationInUse,
  { clauses, ranking }: RankedClauses,
): Generator<CountedBlock> {
  const { kept, blockSize } = generation;
  const getCeiling = createCeiling(generation, ranking);
  for (const parts of listKeptBlocks(kept, listManyTerms(clauses.flat()))) {
    const { block, lists } = parts;
    const selected = selectInBlock(clauses, createBlockEvaluator(parts, blockSize), blockSize);
    const ceilings = new Map(Array.from(lists, ([term, { ceiling }]) => [term, ceiling]));
    const ceiling = getCeiling(block, ceilings);
    yield { block, people: selected.count, selected, ceiling, parts };
  }
}
