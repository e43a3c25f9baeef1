/**
 * Counts the developers that a query finds in each block. A block is counted from the cache if its lists are cached, otherwise in
 * the database.
 */
import { countBits, emptyPostings, type Postings } from "../../generation/postings.ts";
import { listManyTerms, listTerms } from "../blocks/block-list.ts";
import { countBlocks, findBlocksOfFew } from "../blocks/count-blocks.ts";
import { createBlockEvaluator, selectInBlock } from "../blocks/evaluate-block.ts";
import { type BlockParts, listCachedBlocks } from "../blocks/read-blocks.ts";
import type { GenerationInUse, SearchedIndex } from "../generation-in-use.ts";
import { createCeiling } from "./ceiling.ts";
import { listScoring, type RankedClauses } from "./database-plan.ts";

/** @package A block in which the query may find developers. */
export interface CountedBlock {
  readonly block: number;
  /** The number of developers found. Undefined if the block must be read to count them. */
  readonly people: number | undefined;
  /** The developers found. Undefined if they are selected when the block is ranked. */
  readonly selected: Postings | undefined;
  /** An upper bound of the scores in the block. */
  readonly ceiling: number;
  /** The cached rows of the block. Undefined if they must be read before ranking. */
  readonly parts: BlockParts | undefined;
}

/** A query with up to this many lists is evaluated by the node. A query with more lists is evaluated by the database. */
const readTerms = 12;

/** @package Lists the blocks in which the query may find developers, in order of ordinal. */
export async function listCountedBlocks(
  index: SearchedIndex,
  plan: RankedClauses,
): Promise<readonly CountedBlock[]> {
  const { generation } = index;
  const ofFew = listBlocksOfFew(plan, generation);
  const isOfFew = new Set(ofFew.map(({ block }) => block));
  const cached = [...countCachedBlocks(generation, plan)].filter(
    ({ block }) => !isOfFew.has(block),
  );
  const known = [...ofFew, ...cached];
  const counted = await countInDatabase(
    index,
    plan,
    known.map(({ block }) => block),
  );
  return [...known, ...counted].sort((a, b) => a.block - b.block);
}

/** Lists the blocks that contain developers of short lists. Their developers are counted later, when the blocks are read. */
function listBlocksOfFew(
  { clauses }: RankedClauses,
  { blockSize }: GenerationInUse,
): readonly CountedBlock[] {
  const unread = { people: undefined, selected: undefined, parts: undefined };
  return [...findBlocksOfFew(clauses, blockSize)].map((block) => ({
    ...{ block, ...unread, ceiling: Number.POSITIVE_INFINITY },
  }));
}

async function countInDatabase(
  { statements, generation }: SearchedIndex,
  plan: RankedClauses,
  except: readonly number[],
): Promise<readonly CountedBlock[]> {
  const terms = listScoring(plan).flatMap((list) => [...listTerms(list)]);
  const getCeiling = createCeiling(generation, plan.ranking);
  const isSelected = listManyTerms(plan.clauses.flat()).size > readTerms;
  const counts = await countBlocks(statements, generation, {
    ...{ except, clauses: plan.clauses, isSelected },
    scoring: terms.filter(({ few }) => !few),
  });
  return counts.map(({ block, people, bits, ceilings }) => ({
    ...{ block, people, ceiling: getCeiling(block, ceilings), parts: undefined },
    selected: isSelected ? toSelected(bits) : undefined,
  }));
}

function toSelected(bits: Uint32Array | undefined): Postings {
  return bits ? { count: countBits(bits), bits, strengths: undefined } : emptyPostings;
}

/** Counts the blocks whose lists are all cached. */
function* countCachedBlocks(
  generation: GenerationInUse,
  { clauses, ranking }: RankedClauses,
): Generator<CountedBlock> {
  const { cached, blockSize } = generation;
  const getCeiling = createCeiling(generation, ranking);
  for (const parts of listCachedBlocks(cached, listManyTerms(clauses.flat()))) {
    const { block, lists } = parts;
    const selected = selectInBlock(clauses, createBlockEvaluator(parts, blockSize), blockSize);
    const ceilings = new Map(Array.from(lists, ([term, { ceiling }]) => [term, ceiling]));
    const ceiling = getCeiling(block, ceilings);
    yield { block, people: selected.count, selected, ceiling, parts };
  }
}
