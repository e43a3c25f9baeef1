/** Visits the blocks in which a query finds people, best first. Skips blocks whose best score is too low for the page. */
import { wordStrength } from "../../../contract/people/profile-analysis.ts";
import type { ScoredPerson } from "../../best-found.ts";
import {
  joinPostings,
  listOrdinals,
  type Postings,
  toPostings,
} from "../../generation/postings.ts";
import { rankPeople } from "../../rank-page.ts";
import { isTested, selectInRange } from "../../select.ts";
import type { SortFigure } from "../../sorting.ts";
import { type BlockList, listManyTerms } from "../blocks/block-list.ts";
import {
  type BlockEvaluator,
  createBlockEvaluator,
  selectAmong,
  selectInBlock,
} from "../blocks/evaluate-block.ts";
import {
  type BlockFigures,
  type BlockParts,
  readBlockFigures,
  readBlocks,
} from "../blocks/read-blocks.ts";
import type { GenerationInUse, SearchedIndex } from "../generation-in-use.ts";
import { type CountedBlock, listCountedBlocks } from "./counted-blocks.ts";
import { listScoring, type RankedClauses } from "./database-plan.ts";

/**
 * @package Collects the developers found, in order of ordinal within each block. Blocks that cannot reach the threshold
 * are skipped.
 */
export interface BlockCollector {
  /** The lowest score that is still needed, in tenths of a point. */
  readonly threshold: number;
  /** The collector wants at least this many developers. */
  readonly size: number;
  /** The figure by which the search is sorted. */
  readonly figure?: SortFigure | undefined;
  offer(found: FoundInBlock, evaluate: BlockEvaluator): void;
}

/** @package A collector that wants no developers, for counting only. */
export const counting = { threshold: Number.POSITIVE_INFINITY, size: 0, offer() {} };

/** @package A developer found. The ordinal is the position in the block. */
export interface FoundInBlock extends ScoredPerson {
  readonly block: number;
}

const blocksAtOnce = 32;

/** @package @returns the number of people that the query finds. */
export async function walkBlocks(
  index: SearchedIndex,
  plan: RankedClauses,
  collector: BlockCollector,
): Promise<number> {
  const { statements, generation } = index;
  const isCounted = !(plan.experience && isTested(plan.experience));
  const columns = [
    ...(listScoring(plan).length === 0 ? (["techStack"] as const) : []),
    ...(collector.figure ? [collector.figure] : []),
    ...(isCounted ? [] : (["experience"] as const)),
  ];
  const listed = await listCountedBlocks(index, plan);
  // The database counts people without comparing their experience.
  const blocks = isCounted ? listed : listed.map(withoutCount);
  let found = blocks.reduce((sum, { people }) => sum + (people ?? 0), 0);
  for (let next = 0; next < blocks.length; ) {
    const wanted: CountedBlock[] = [];
    let expected = 0;
    for (; next < blocks.length && wanted.length < blocksAtOnce; next++) {
      const counted = blocks[next] as CountedBlock;
      const { ceiling, people } = counted;
      if (ceiling < collector.threshold || people === 0) continue;
      // Rank the first blocks before the others, because they may raise the threshold enough to skip the rest.
      if (collector.threshold < 0 && expected >= 2 * collector.size) break;
      wanted.push(counted);
      expected += people ?? 0;
    }
    const numbers = wanted.map(({ block }) => block);
    const figures = await readBlockFigures(statements, generation.id, numbers, columns);
    for (const counted of await readCounted(index, plan, wanted)) {
      if (counted.ceiling < collector.threshold) continue;
      const own = rankBlock(counted, generation, plan, collector, figures.get(counted.block));
      if (counted.people === undefined) found += own;
    }
  }
  return found;
}

function withoutCount(counted: CountedBlock): CountedBlock {
  if (counted.people === 0) return counted;
  return { ...counted, people: undefined, ceiling: Number.POSITIVE_INFINITY };
}

/** Reads the lists needed to rank the blocks. */
async function readCounted(
  { statements, generation }: SearchedIndex,
  plan: RankedClauses,
  wanted: readonly CountedBlock[],
): Promise<readonly (CountedBlock & { readonly parts: BlockParts })[]> {
  const scoring = listManyTerms(listScoring(plan));
  const named = listManyTerms(plan.named.map(({ holders }) => holders));
  const unread = wanted.filter(({ parts }) => !parts);
  const isSelected = unread.every(({ selected }) => selected !== undefined);
  const terms = isSelected ? scoring.union(named) : listManyTerms(plan.clauses.flat());
  const blocks = unread.map(({ block }) => block);
  const read = await readBlocks(statements, generation, blocks, { terms, scoring });
  const byBlock = new Map(read.map((parts) => [parts.block, parts]));
  return wanted.map((counted) => ({
    ...counted,
    parts: byBlock.get(counted.block) ?? (counted.parts as BlockParts),
  }));
}

/** If fewer than one in `pickWorth` developers is selected, each developer is looked up. Otherwise all strengths are unpacked. */
const pickWorth = 8;

/** @returns the number of people that the query finds in the block. */
function rankBlock(
  { block, parts, selected: known }: CountedBlock & { readonly parts: BlockParts },
  { blockSize, readBases }: GenerationInUse,
  { clauses, ranking, experience }: RankedClauses,
  collector: BlockCollector,
  figures: BlockFigures = {},
): number {
  const evaluate = createBlockEvaluator(parts, blockSize);
  const listed = known ?? selectInBlock(clauses, evaluate, blockSize);
  const selected =
    experience && figures.experience
      ? selectInRange(listed, experience, figures.experience)
      : listed;
  if (selected.count === 0) return 0;
  const getBase = readBases(block);
  const found =
    selected.count * pickWorth < blockSize ? toPostings(listOrdinals(selected)) : selected;
  const toColumn = (list: BlockList): Postings => {
    if (!found.ordinals) return evaluate(list);
    if (list.kind === "joined") return joinPostings(list.lists.map(toColumn), wordStrength);
    const part = list.kind === "term" && !list.few ? parts.lists.get(list.term) : undefined;
    return part?.bits ? selectAmong(part, found.ordinals) : evaluate(list);
  };
  const columns = {
    skills: ranking.skills.map(toColumn),
    role: ranking.role && toColumn(ranking.role),
  };
  const sorting = collector.figure && figures[collector.figure];
  rankPeople(found, columns, figures.techStack ?? [], getBase, sorting, {
    get threshold() {
      return collector.threshold;
    },
    offer: (person) => collector.offer({ ...person, block }, evaluate),
  });
  return selected.count;
}
