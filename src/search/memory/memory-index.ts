import { dirname, join } from "node:path";
import { limits } from "../../contract/limits.ts";
import { Problem } from "../../contract/problem.ts";
import { answerNowhere, composeResult, createWordMethods, toHit } from "../answer.ts";
import { explainPlacing } from "../explain.ts";
import { createRefresh } from "../follow-pool.ts";
import {
  readGeneration,
  releaseGeneration,
  removeGeneration,
  removeLeftovers,
} from "../generation/file.ts";
import type { Generation } from "../generation/generation.ts";
import { getLists } from "../generation/lists.ts";
import { walkOrdinals } from "../generation/postings.ts";
import { suggestRepositories } from "../generation/repositories.ts";
import { getNamedTerms, lookUpTerms } from "../look-up.ts";
import { rankPage } from "../rank-page.ts";
import { resolveNowhere, resolveQuery } from "../resolve-query.ts";
import { createRoleScoreCache, createRoleScoreCount } from "../role-scores.ts";
import type { RoleScoreCounts, SearchIndex, SearchQuery, SearchResult } from "../search-index.ts";
import type { SearchParts } from "../search-parts.ts";
import { selectByPlan } from "../select.ts";
import { toSortFigure } from "../sorting.ts";
import { findInIndex } from "./find-people.ts";
import { createIndexRefresher, type IndexRefresher } from "./index-refresher.ts";
import { type PeopleIndex, renewPeopleIndex } from "./people-index.ts";
import { createResultCache } from "./result-cache.ts";

/** Creates the index. Nothing is read or built before `start`. */
export function createMemoryIndex(parts: SearchParts): SearchIndex {
  const isInMemory = parts.poolFile === ":memory:";
  const file =
    parts.indexFile ?? (isInMemory ? undefined : join(dirname(parts.poolFile), "search.index"));
  const refresher = createIndexRefresher({ ...parts, file });
  const people = followPeople(parts.pool);
  const findCached = createResultCache((query, generation) => findIn(generation, query, parts));
  const cachedRoleScores = createRoleScoreCache<Generation, RoleScoreCounts>();
  const loaded = () => {
    const { generation } = refresher;
    if (generation) return generation;
    throw new Problem("internal", { cause: new Error("The search index is not loaded yet.") });
  };
  return {
    ...createWordMethods(parts),
    get generation() {
      return refresher.loaded;
    },
    find: async (query) => findCached(query, loaded()),
    explain: async (person, query) => explainPlacing(loaded(), person, query, parts),
    lookUp: async (asked) => lookUpTerms(getNamedTerms(loaded()), asked, parts),
    countRoleScores: async (role) => {
      const generation = loaded();
      return cachedRoleScores(generation, role, async () => countRoleScores(generation, role));
    },
    findPeople: async (asked) => findInIndex(await people(), asked),
    start: refresher.start,
    refresh: refresher.refresh,
    discard: async () => {
      if (file !== undefined) await discardIndex(file, parts, refresher);
    },
    close: async () => refresher.close(),
  };
}

/** @returns what is wrong with a stored index, such as "is truncated"; undefined if it can be used. */
export function findIndexFault(
  file: string,
  wanted: { readonly revision?: number; readonly edition: string },
): string | undefined {
  const found = readGeneration(file, wanted);
  if ("fault" in found) return found.fault;
  releaseGeneration(found);
  return undefined;
}

/** Rebuilds the stored index from the pool, or removes it if that fails. */
async function discardIndex(
  file: string,
  { pool, edition, log }: SearchParts,
  refresher: IndexRefresher,
): Promise<void> {
  removeLeftovers(file);
  try {
    if (findIndexFault(file, { edition }) === undefined) await refresher.refresh();
  } catch (error) {
    log.warn({ err: error }, "search index could not be renewed; it is removed");
  }
  if (findIndexFault(file, { revision: await pool.revision(), edition })) removeGeneration(file);
}

/** Builds the index of people at the first call, and rebuilds it after the pool has changed. Calls wait until it is current. */
function followPeople(pool: SearchParts["pool"]): () => Promise<PeopleIndex> {
  let built: PeopleIndex | undefined;
  const refresh = createRefresh(async () => {
    // Read the revision before the people. If some people are newer, the next call rebuilds.
    const revision = await pool.revision();
    if (built?.revision === revision) return;
    built = await renewPeopleIndex(pool, revision, built).catch((error) => {
      // Read all people again at the next call.
      built = undefined;
      throw error;
    });
  });
  return async () => {
    if (built?.revision !== (await pool.revision())) await refresh();
    return built as PeopleIndex;
  };
}

function findIn(generation: Generation, query: SearchQuery, parts: SearchParts): SearchResult {
  const plan = resolveQuery(query, parts, getLists(generation));
  if (!plan) return answerNowhere(resolveNowhere(query, parts, generation));
  const selected = selectByPlan(plan, generation);
  const page = { offset: query.offset, size: query.maxResults, figure: toSortFigure(query) };
  const placings = rankPage(selected, plan.ranking, generation, page);
  const max = limits.suggestionsMax;
  const nearest = plan.unknownRepositories
    .slice(0, max)
    .map((text) => suggestRepositories(text, generation, max).map(({ name }) => name));
  const hits = placings.map((placing) => toHit(placing, plan, generation));
  return composeResult(plan, { total: selected.count, hits, nearest });
}

function countRoleScores(generation: Generation, role: string): RoleScoreCounts {
  const { bases } = generation.columns;
  const { add, finish } = createRoleScoreCount();
  walkOrdinals(generation.postings(`role:${role}`), (ordinal, techStack = 0) =>
    add(bases[ordinal] as number, techStack),
  );
  return finish();
}
