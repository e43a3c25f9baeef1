import { limits } from "../../../contract/limits.ts";
import { computeScore } from "../../../contract/people/developer.ts";
import type { Statements } from "../../../postgres/database.ts";
import { answerNowhere, composeResult } from "../../answer.ts";
import { BestFound } from "../../best-found.ts";
import { hasOrdinal } from "../../generation/postings.ts";
import { resolveNowhere, resolveQuery } from "../../resolve-query.ts";
import type { SearchHit, SearchQuery, SearchResult } from "../../search-index.ts";
import type { SearchParts } from "../../search-parts.ts";
import { comparePeople, toSortFigure } from "../../sorting.ts";
import { selectWeighing } from "../../weighing.ts";
import type { BlockList } from "../blocks/block-list.ts";
import type { TermReader } from "../blocks/known-terms.ts";
import type { GenerationInUse } from "../generation-in-use.ts";
import type { DatabasePlan } from "./database-plan.ts";
import { suggestUnknown } from "./near-repositories.ts";
import { readPeople } from "./read-people.ts";
import { type BlockCollector, counting, type FoundInBlock, walkBlocks } from "./walk-blocks.ts";

/** @returns undefined if the generation was removed meanwhile. */
export async function findInDatabase(
  statements: Statements,
  generation: GenerationInUse,
  query: SearchQuery,
  parts: Pick<SearchParts, "places" | "vocabulary">,
): Promise<SearchResult | undefined> {
  const reader = createReader(statements, generation);
  const plan = await generation.terms.resolve(reader, (lists) => resolveQuery(query, parts, lists));
  if (!plan) {
    const nowhere = generation.terms.resolve(reader, (lists) =>
      resolveNowhere(query, parts, lists),
    );
    return answerNowhere(await nowhere);
  }
  const { total, best } = await findBest(statements, generation, plan, query);
  const hits = await readPage(statements, generation, plan, best, query);
  if (!hits) return undefined;
  const unknown = plan.unknownRepositories.slice(0, limits.suggestionsMax);
  const nearest = [];
  for (const text of unknown) nearest.push(await suggestUnknown(statements, generation.id, text));
  return composeResult(plan, { total, hits, nearest });
}

type Candidate = FoundInBlock & Pick<SearchHit, "evidence">;

/** Finds everybody who may be on the page, in no particular order. */
async function findBest(
  statements: Statements,
  generation: GenerationInUse,
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
  const total = await walkBlocks(statements, generation, plan, collector);
  return { total, best: best.list() };
}

/** @package */
export function createReader(statements: Statements, generation: GenerationInUse): TermReader {
  return {
    statements,
    isNobody: async (lists) => (await countCommon(statements, generation, lists)) === 0,
  };
}

/** @package Returns the number of people in a list. The list's own `count` may be only an upper bound. */
export async function countList(
  statements: Statements,
  generation: GenerationInUse,
  list: BlockList,
): Promise<number> {
  if (list.kind === "term") return list.count;
  const [only, ...others] = list.lists;
  if (only === undefined) return 0;
  return others.length === 0 && list.kind !== "common"
    ? countList(statements, generation, only)
    : countCommon(statements, generation, [list]);
}

/** Counts the people who are in all of these lists. */
function countCommon(
  statements: Statements,
  generation: GenerationInUse,
  lists: readonly BlockList[],
): Promise<number> {
  const ranking = { skills: [], role: undefined };
  const plan = { clauses: lists.map((list) => [list]), ranking, named: [] };
  return walkBlocks(statements, generation, plan, counting);
}

/** Sorts the candidates, and returns those on the page. */
async function readPage(
  statements: Statements,
  { id }: GenerationInUse,
  { ranking }: Pick<DatabasePlan, "ranking">,
  candidates: readonly Candidate[],
  { offset, maxResults }: SearchQuery,
): Promise<readonly SearchHit[] | undefined> {
  const people = await readPeople(statements, id, candidates);
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
