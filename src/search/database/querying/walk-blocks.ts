/**
 * Goes through the blocks in which a query finds somebody, best ones first, and leaves out those that cannot matter any
 * more. The database counts; only what is ranked is fetched.
 */
import type { Statements } from "../../../postgres/database.ts";
import { listOrdinals, type Postings } from "../../generation/postings.ts";
import { createTechStackScoring, listChunks, tenthsPerTechPoint } from "../../rank-page.ts";
import { type Clause, selectByClauses } from "../../select.ts";
import { type BlockList, listTerms } from "../blocks/block-list.ts";
import { countBlocks, listBlocksOfFew } from "../blocks/count-blocks.ts";
import {
  type BlockEvaluator,
  createBlockEvaluator,
  selectAmong,
} from "../blocks/evaluate-block.ts";
import { type BlockParts, listKeptBlocks, readBlocks } from "../blocks/read-blocks.ts";
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
export type RankedClauses = Pick<DatabasePlan, "clauses" | "ranking" | "named">;

const blocksAtOnce = 32;

/** @package @returns how many the query finds. */
export async function walkBlocks(
  statements: Statements,
  generation: GenerationInUse,
  plan: RankedClauses,
  collector: Collector,
): Promise<number> {
  const scoring = listScoring(plan);
  const isAsked = collector.threshold < Number.POSITIVE_INFINITY;
  const isTechStackNeeded = isAsked && scoring.length === 0;
  const read = async (wanted: readonly CountedBlock[]) => {
    const unread = isTechStackNeeded ? wanted : wanted.filter(({ parts }) => !parts);
    const isSelected = unread.every(({ selected }) => selected !== undefined);
    const named = plan.named.map(({ holders }) => holders);
    const terms = listManyTerms(isSelected ? [...scoring, ...named] : plan.clauses.flat());
    const blocks = unread.map(({ block }) => block);
    const read = await readBlocks(statements, generation, blocks, { terms, isTechStackNeeded });
    const byBlock = new Map(read.map((parts) => [parts.block, parts]));
    return wanted.map((counted) => ({
      ...counted,
      parts: byBlock.get(counted.block) ?? (counted.parts as BlockParts),
    }));
  };
  const blocks = await listBlocks(statements, generation, plan);
  let total = 0;
  for (const { people } of blocks) total += people ?? 0;
  for (let next = 0; next < blocks.length; ) {
    const wanted: CountedBlock[] = [];
    let expected = 0;
    for (; next < blocks.length && wanted.length < blocksAtOnce; next++) {
      const counted = blocks[next] as CountedBlock;
      if (counted.ceiling < collector.threshold || counted.people === 0) continue;
      // The first ones may raise the threshold above the others.
      if (collector.threshold < 0 && expected >= 2 * collector.size) break;
      wanted.push(counted);
      expected += counted.people ?? 0;
    }
    if (wanted.length === 0) break;
    for (const counted of await read(wanted)) {
      if (counted.ceiling < collector.threshold) continue;
      const found = rankBlock(counted, generation, plan, collector);
      if (counted.people === undefined) total += found;
    }
  }
  return total;
}

/** A block in which the query may find somebody. */
interface CountedBlock {
  readonly block: number;
  /** Undefined where it must be read to be counted. */
  readonly people: number | undefined;
  /** Undefined where it is found out when the block is ranked. */
  readonly selected: Postings | undefined;
  /** Nobody in it scores more. */
  readonly ceiling: number;
  /** Undefined where it must be read to be ranked. */
  readonly parts: BlockParts | undefined;
}

/** In order of ordinal. */
async function listBlocks(
  statements: Statements,
  generation: GenerationInUse,
  plan: RankedClauses,
): Promise<readonly CountedBlock[]> {
  // Whoever is in a list of few is nowhere else, and counted when the block is read.
  const ofFew = listBlocksOfFew(plan.clauses, generation.blockSize);
  const unread = { people: undefined, selected: undefined, parts: undefined };
  const blocks: CountedBlock[] = Array.from(ofFew, (block) => ({
    ...{ block, ...unread },
    ceiling: Number.POSITIVE_INFINITY,
  }));
  const getCeiling = createCeiling(generation, plan.ranking);
  for (const counted of countKeptBlocks(generation, plan, getCeiling)) {
    if (!ofFew.has(counted.block)) blocks.push(counted);
  }
  const terms = listScoring(plan).flatMap((list) => [...listTerms(list)]);
  const counts = await countBlocks(statements, generation, plan.clauses, {
    scoring: terms.filter(({ few }) => !few),
    except: blocks.map(({ block }) => block),
  });
  for (const { block, people, bits, ceilings } of counts) {
    const selected = bits && { count: people, bits, strengths: undefined };
    const ceiling = getCeiling(block, ceilings);
    blocks.push({ block, people, selected, ceiling, parts: undefined });
  }
  return blocks.sort((a, b) => a.block - b.block);
}

/** Counts in those blocks that need not be read. */
function* countKeptBlocks(
  { kept, blockSize }: GenerationInUse,
  { clauses }: RankedClauses,
  getCeiling: ReturnType<typeof createCeiling>,
): Generator<CountedBlock> {
  for (const parts of listKeptBlocks(kept, listManyTerms(clauses.flat()))) {
    const { block, lists } = parts;
    const selected = selectInBlock(clauses, createBlockEvaluator(parts, blockSize), blockSize);
    const ceilings = new Map(Array.from(lists, ([term, { ceiling }]) => [term, ceiling]));
    const ceiling = getCeiling(block, ceilings);
    yield { block, people: selected.count, selected, ceiling, parts };
  }
}

function listScoring({ ranking: { skills, role } }: RankedClauses): readonly BlockList[] {
  return role ? [...skills, role] : skills;
}

/** @package The numbers of the lists of many that these are made of. */
export function listManyTerms(lists: readonly BlockList[]): ReadonlySet<string> {
  const terms = lists.flatMap((list) => [...listTerms(list)]);
  return new Set(terms.flatMap(({ few, term }) => (few ? [] : [term])));
}

/** Below one in so many, looking each developer up costs less than spreading all strengths out. */
const pickWorth = 8;

/** @returns how many the query finds in the block. */
function rankBlock(
  { block, parts, selected: known }: CountedBlock & { readonly parts: BlockParts },
  { blockSize, readBases }: GenerationInUse,
  { clauses, ranking }: RankedClauses,
  collector: Collector,
): number {
  const evaluate = createBlockEvaluator(parts, blockSize);
  const selected = known ?? selectInBlock(clauses, evaluate, blockSize);
  if (selected.count === 0) return 0;
  const getBase = readBases(block);
  const ordinals = selected.count * pickWorth < blockSize ? listOrdinals(selected) : undefined;
  const toColumn = (list: BlockList): Postings => {
    const part = list.kind === "term" && !list.few ? parts.lists.get(list.term) : undefined;
    return part?.bits && ordinals ? selectAmong(part, ordinals) : evaluate(list);
  };
  const columns = {
    skills: ranking.skills.map(toColumn),
    role: ranking.role && toColumn(ranking.role),
  };
  const { score, techMax } = createTechStackScoring(columns, parts.techStack);
  for (const chunk of listChunks(selected)) {
    const highest = getBase(chunk[0] as number) + tenthsPerTechPoint * techMax;
    if (highest < collector.threshold) break;
    const techs = score(chunk);
    for (let each = 0; each < chunk.length; each++) {
      const at = chunk[each] as number;
      const techStack = techs[each] as number;
      const tenths = getBase(at) + tenthsPerTechPoint * techStack;
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
