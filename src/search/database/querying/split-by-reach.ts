import { emptyPostings, type Postings } from "../../generation/postings.ts";
import { createTechStackScoring } from "../../tech-stack.ts";
import { selectWeighing } from "../../weighing.ts";
import type { BlockList } from "../blocks/block-list.ts";
import type { BlockRange, ListSets } from "../blocks/count-blocks.ts";
import type { GenerationInUse } from "../generation-in-use.ts";
import { type DatabasePlan, listScoring } from "./database-plan.ts";

/** @package Blocks, and the lists by which a person in them reaches a score. */
export interface ReachingRange extends BlockRange {
  readonly sets: ListSets;
}

type Plan = Pick<DatabasePlan, "clauses" | "ranking">;

/** More lists would be too many sets. */
const listsMax = 6;
/** A range costs a statement. */
const blocksMin = 16;

/**
 * Splits blocks by what it takes to reach a score in them: of those who fulfil all clauses, whoever reaches it is in all lists
 * of one of the sets. The lower the bases, the more lists it takes.
 *
 * @package
 * @param threshold in tenths.
 */
export function splitByReach(
  { getTopBase }: Pick<GenerationInUse, "getTopBase">,
  plan: Plan,
  { from, to }: BlockRange,
  threshold: number,
): readonly ReachingRange[] {
  const scored = scoreSets(plan);
  const { toTenths, tenthsPerTechPoint } = selectWeighing(plan.ranking);
  const ranges: (ReachingRange & { readonly reaching: number })[] = [];
  for (let block = from; block < to; block++) {
    const techMin = (threshold - toTenths(getTopBase(block))) / tenthsPerTechPoint;
    const reaching = scored.filter(({ techStack }) => techStack >= techMin);
    const last = ranges.at(-1);
    const isLike = last?.reaching === reaching.length;
    // Sets for higher bases are right for lower ones, too: they only let more people through.
    if (last && (isLike || block < last.from + blocksMin)) {
      ranges[ranges.length - 1] = { ...last, to: block + 1 };
    } else {
      const range = { from: block, to: block + 1, sets: listSmallest(reaching) };
      ranges.push({ ...range, reaching: reaching.length });
    }
  }
  return ranges;
}

interface ScoredSet {
  readonly lists: readonly BlockList[];
  /** A developer in these lists alone has at most this score. */
  readonly techStack: number;
}

/** Sets of scoring lists that not all people are in, each before the larger sets that contain it. */
function scoreSets(plan: Plan): readonly ScoredSet[] {
  const { clauses, ranking } = plan;
  const certain = new Set(clauses.flatMap((clause) => (clause.length === 1 ? clause : [])));
  const open = [...new Set(listScoring(plan))].filter((list) => !certain.has(list));
  const score = (has: (list: BlockList) => boolean) => {
    const toPostings = (list: BlockList) => (has(list) ? strongest : emptyPostings);
    const skills = ranking.skills.map(toPostings);
    const role = ranking.role && toPostings(ranking.role);
    const scoring = createTechStackScoring({ skills, role }, strongestTechStack);
    return scoring.score(Uint32Array.of(0))[0] as number;
  };
  if (open.length > listsMax) return [{ lists: [], techStack: score(() => true) }];
  return Array.from({ length: 2 ** open.length }, (_, number) => {
    const lists = open.filter((_, at) => ((number >>> at) & 1) === 1);
    return { lists, techStack: score((list) => certain.has(list) || lists.includes(list)) };
  });
}

/** Those of which no other is a part. */
function listSmallest(sets: readonly ScoredSet[]): ListSets {
  const smallest: (readonly BlockList[])[] = [];
  for (const { lists } of sets) {
    const isPart = (other: readonly BlockList[]) => other.every((list) => lists.includes(list));
    if (!smallest.some(isPart)) smallest.push(lists);
  }
  return smallest;
}

/** The highest strength in a list, and the tech stack of a person without any list that counts. */
const strongest: Postings = {
  count: 1,
  ordinals: Uint32Array.of(0),
  strengths: Uint8Array.of(100),
};
const strongestTechStack = Uint8Array.of(100);
