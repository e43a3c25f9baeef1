/**
 * Goes through the blocks in which a query finds somebody, best ones first, and leaves out those that cannot matter any
 * more. The database counts; only what is ranked is fetched.
 */
import type { Statements } from "../../../postgres/database.ts";
import type { Postings } from "../../generation/postings.ts";
import { createTechStackScoring, listChunks, tenthsPerTechPoint } from "../../rank-page.ts";
import { type Clause, selectByClauses } from "../../select.ts";
import { type BlockList, listTerms } from "../blocks/block-list.ts";
import { countBlocks, listBlocksOfFew } from "../blocks/count-blocks.ts";
import { type BlockEvaluator, createBlockEvaluator } from "../blocks/evaluate-block.ts";
import { type BlockParts, type BlockQuery, readBlocks } from "../blocks/read-blocks.ts";
import type { GenerationInUse } from "../generation-in-use.ts";
import { createCeiling } from "./ceiling.ts";
import type { DatabasePlan } from "./database-plan.ts";

/** @package Takes whoever is found, in order of ordinal, of blocks that may reach its threshold. */
export interface Collector {
  /** In tenths: nobody with a lower score matters. */
  readonly threshold: number;
  /** How many it wants at least. */
  readonly size: number;
  offer(found: FoundInBlock, evaluate: BlockEvaluator): void;
}

/** @package */
export interface FoundInBlock {
  readonly tenths: number;
  readonly techStack: number;
  readonly block: number;
  /** In the block. */
  readonly at: number;
}

/** @package What of a plan decides who is found, and in which order. */
export type RankedClauses = Pick<DatabasePlan, "clauses" | "ranking">;

const blocksAtOnce = 16;

/** @package @returns how many the query finds. */
export async function walkBlocks(
  statements: Statements,
  generation: GenerationInUse,
  plan: RankedClauses,
  collector: Collector,
): Promise<number> {
  const { clauses, ranking } = plan;
  const scoring = [...ranking.skills, ...(ranking.role ? [ranking.role] : [])];
  const scoringTerms = scoring.flatMap((list) => [...listTerms(list)]).filter(({ few }) => !few);
  const query: BlockQuery = {
    terms: listManyTerms(clauses.flat()),
    scoring: listManyTerms(scoring),
    isTechStackNeeded: scoring.length === 0 && collector.threshold < Number.POSITIVE_INFINITY,
  };
  const ofFew = listBlocksOfFew(clauses, generation.blockSize);
  const counts = await countBlocks(statements, generation, clauses, {
    scoring: scoringTerms,
    except: [...ofFew],
  });
  const getCeiling = createCeiling(generation, ranking);
  const others = counts.map(({ block, people, ceilings }) => {
    return { block, people, ceiling: getCeiling(block, ceilings) };
  });
  // Whoever is in a list of few is found here only, and so is counted here.
  const blocks = [
    ...others,
    ...[...ofFew].map((block) => ({ block, people: undefined, ceiling: Number.POSITIVE_INFINITY })),
  ].sort((a, b) => a.block - b.block);
  let total = counts.reduce((sum, { people }) => sum + people, 0);
  for (let next = 0; next < blocks.length; ) {
    const wanted: number[] = [];
    let expected = 0;
    for (; next < blocks.length && wanted.length < blocksAtOnce; next++) {
      const { block, people, ceiling } = blocks[next] as (typeof blocks)[number];
      if (ceiling < collector.threshold) continue;
      // The first ones may raise the threshold above the others.
      if (collector.threshold < 0 && expected >= 2 * collector.size) break;
      wanted.push(block);
      expected += people ?? 0;
    }
    if (wanted.length === 0) break;
    for (const parts of await readBlocks(statements, generation.id, wanted, query)) {
      const found = rankBlock(parts, generation, plan, collector);
      if (ofFew.has(parts.block)) total += found;
    }
  }
  return total;
}

/** @package The numbers of the lists of many that these are made of. */
export function listManyTerms(lists: readonly BlockList[]): ReadonlySet<bigint> {
  const terms = lists.flatMap((list) => [...listTerms(list)]);
  return new Set(terms.flatMap(({ few, term }) => (few ? [] : [term])));
}

/** @returns how many the query finds in the block. */
function rankBlock(
  parts: BlockParts,
  { blockSize, listBases }: GenerationInUse,
  { clauses, ranking }: RankedClauses,
  collector: Collector,
): number {
  const { block } = parts;
  const evaluate = createBlockEvaluator(parts, blockSize);
  const selected = selectInBlock(clauses, evaluate, blockSize);
  if (selected.count === 0) return 0;
  const bases = listBases(block);
  const columns = {
    skills: ranking.skills.map(evaluate),
    role: ranking.role && evaluate(ranking.role),
  };
  const { score, techMax } = createTechStackScoring(columns, parts.techStack);
  for (const chunk of listChunks(selected)) {
    const highest = (bases[chunk[0] as number] as number) + tenthsPerTechPoint * techMax;
    if (highest < collector.threshold) break;
    const techs = score(chunk);
    for (let each = 0; each < chunk.length; each++) {
      const at = chunk[each] as number;
      const techStack = techs[each] as number;
      const tenths = (bases[at] as number) + tenthsPerTechPoint * techStack;
      if (tenths >= collector.threshold)
        collector.offer({ tenths, techStack, block, at }, evaluate);
    }
  }
  return selected.count;
}

/** @package */
export function selectInBlock(
  clauses: readonly Clause<BlockList>[],
  evaluate: BlockEvaluator,
  blockSize: number,
): Postings {
  const lists = clauses.map((clause) => clause.map(evaluate));
  return selectByClauses(lists, { developers: blockSize });
}
