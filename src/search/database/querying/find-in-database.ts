import { limits } from "../../../contract/limits.ts";
import { computeScore } from "../../../contract/people/developer.ts";
import { answerNowhere, composeResult } from "../../answer.ts";
import { BestFound } from "../../best-found.ts";
import type { Lists } from "../../generation/lists.ts";
import { hasOrdinal } from "../../generation/postings.ts";
import { resolveNowhere, resolveQuery } from "../../resolve-query.ts";
import type { SearchHit, SearchQuery, SearchResult } from "../../search-index.ts";
import type { SearchParts } from "../../search-parts.ts";
import { comparePeople, toSortFigure } from "../../sorting.ts";
import { selectWeighing } from "../../weighing.ts";
import type { BlockList } from "../blocks/block-list.ts";
import type { SearchedIndex } from "../generation-in-use.ts";
import type { DatabasePlan } from "./database-plan.ts";
import { suggestUnknown } from "./near-repositories.ts";
import { readPeople } from "./read-people.ts";
import { type BlockCollector, counting, type FoundInBlock, walkBlocks } from "./walk-blocks.ts";

/** @returns undefined if the generation was removed meanwhile. */
export async function findInDatabase(
  index: SearchedIndex,
  query: SearchQuery,
  parts: Pick<SearchParts, "places" | "vocabulary">,
): Promise<SearchResult | undefined> {
  const plan = await resolveLists(index, (lists) => resolveQuery(query, parts, lists));
  if (!plan) {
    const nowhere = resolveLists(index, (lists) => resolveNowhere(query, parts, lists));
    return answerNowhere(await nowhere);
  }
  const { total, best } = await findBest(index, plan, query);
  const hits = await readPage(index, plan, best, query);
  if (!hits) return undefined;
  const unknown = plan.unknownRepositories.slice(0, limits.suggestionsMax);
  const nearest = [];
  for (const text of unknown) nearest.push(await suggestUnknown(index, text));
  return composeResult(plan, { total, hits, nearest });
}

type Candidate = FoundInBlock & Pick<SearchHit, "evidence">;

/** Finds everybody who may be on the page, in no particular order. */
async function findBest(
  index: SearchedIndex,
  plan: DatabasePlan,
  query: SearchQuery,
): Promise<{ readonly total: number; readonly best: readonly Candidate[] }> {
  const size = query.offset + query.maxResults;
  const figure = toSortFigure(query);
  const best = new BestFound<Candidate>(size, figure !== undefined);
  const collector: BlockCollector = {
    get threshold() {
      return best.threshold;
    },
    // Sorted by a figure, any block may have the best people.
    size: figure ? Number.POSITIVE_INFINITY : size,
    figure,
    offer: (found, evaluate) =>
      best.keep(found, () => {
        const has = plan.named.filter(({ holders }) =>
          hasOrdinal(evaluate(holders), found.ordinal),
        );
        return { ...found, evidence: has.map(({ name }) => name) };
      }),
  };
  const total = await walkBlocks(index, plan, collector);
  return { total, best: best.list() };
}

/** @package Runs work on the lists of the index, which are read as the work asks for them. */
export function resolveLists<Result>(
  index: SearchedIndex,
  work: (lists: Lists<BlockList>) => Result,
): Promise<Result> {
  const { statements, generation } = index;
  const isNobody = async (lists: readonly BlockList[]) => (await countCommon(index, lists)) === 0;
  return generation.terms.resolve({ statements, isNobody }, work);
}

/** @package Returns the number of people in a list. The list's own `count` may be only an upper bound. */
export async function countList(index: SearchedIndex, list: BlockList): Promise<number> {
  if (list.kind === "term") return list.count;
  const [only, ...others] = list.lists;
  if (only === undefined) return 0;
  return others.length === 0 && list.kind !== "common"
    ? countList(index, only)
    : countCommon(index, [list]);
}

/** Counts the people who are in all of these lists. */
function countCommon(index: SearchedIndex, lists: readonly BlockList[]): Promise<number> {
  const ranking = { skills: [], role: undefined };
  const plan = { clauses: lists.map((list) => [list]), ranking, named: [] };
  return walkBlocks(index, plan, counting);
}

/** Sorts the candidates, and returns those on the page. */
async function readPage(
  { statements, generation }: SearchedIndex,
  { ranking }: Pick<DatabasePlan, "ranking">,
  candidates: readonly Candidate[],
  { offset, maxResults }: SearchQuery,
): Promise<readonly SearchHit[] | undefined> {
  const people = await readPeople(statements, generation.id, candidates);
  if (people.length < candidates.length) return undefined;
  const { weights } = selectWeighing(ranking);
  const inOrder = candidates
    .map((candidate, at) => ({ ...(people[at] as (typeof people)[number]), ...candidate }))
    .sort(comparePeople);
  return inOrder
    .slice(offset, offset + maxResults)
    .map(({ rowId, profile, techStack, activity, evidence }) => ({
      ...{ rowId, profile, techStack, activity, evidence },
      score: computeScore(profile, techStack, activity, weights),
    }));
}
