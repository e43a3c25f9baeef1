import { dirname, join } from "node:path";
import type { BaseLogger } from "pino";
import type { Card, RankedScores } from "../contract/people/developer.ts";
import { Problem } from "../contract/problem.ts";
import type { SearchRequest } from "../contract/requests.ts";
import type { KnownTerm } from "../contract/terms.ts";
import type { Places } from "../places/places.ts";
import type { Pool } from "../pool/pool.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import { type ExplainedDeveloper, explainPlacing, type SearchExplanation } from "./explain.ts";
import { removeGeneration } from "./generation/file.ts";
import type { Generation } from "./generation/generation.ts";
import { createIndexRefresher } from "./index-refresher.ts";
import { type LookupQuery, lookUpTerms } from "./look-up.ts";
import { rankPage } from "./rank-page.ts";
import { resolveQuery, suggestPlaces } from "./resolve-query.ts";
import { selectByPlan } from "./select.ts";
import { toHit } from "./to-hit.ts";

export type { ExplainedDeveloper, SearchExplanation, Verdict } from "./explain.ts";
export type { LookupQuery } from "./look-up.ts";

/** Finds people: filters, ranks and counts over one immutable generation in memory. */
export interface SearchIndex {
  /** True once a generation is loaded; before that `find` throws Problem internal. */
  readonly isReady: boolean;
  readonly generation: { readonly revision: number; readonly developers: number } | undefined;
  /** @throws Problem invalid_request for an unknown role, naming the roles and the nearest (decision 11). */
  find(query: SearchQuery): SearchResult;
  /**
   * Why one developer is in the answer to a query, or is not: by the same resolution, lists and ranking as `find`.
   *
   * @param person as the pool holds it; bots and assistants too.
   * @throws Problem invalid_request for an unknown role.
   */
  explain(person: ExplainedDeveloper, query: SearchRequest): SearchExplanation;
  /** Display names of what was asked and this developer has evidence for; nothing asked: the strongest keywords (decision 17). */
  matchedKeywords(card: Card, asked: ResolvedTerms, hit: SearchHit): readonly string[];
  /**
   * The known places, skills and roles that a text names, begins to name or, when there is none, misspells; best
   * first. Needs no caller: pages may complete with it.
   */
  lookUp(asked: LookupQuery): readonly KnownTerm[];
  /** Loads the generation file, or rebuilds it; then follows the pool's revision until closed. */
  start(): Promise<void>;
  /** Rebuilds off this thread if the pool has moved on, and swaps the result in whole. */
  refresh(): Promise<void>;
  /** Removes the index's file: what it was made of is to be forgotten. A running server, or the next start, makes it anew. */
  discard(): void;
  close(): void;
}

export type SearchQuery = SearchRequest & { readonly maxResults: number; readonly offset: number };

/** What the request's words resolved to. */
export interface ResolvedTerms {
  readonly role: string | undefined;
  /** Display names of asked-for skills and languages, in the order asked. */
  readonly names: readonly string[];
}

export interface SearchHit extends RankedScores {
  readonly rowId: number;
  /** Those of `Asked.names` that the index found evidence for in this developer. */
  readonly evidence: readonly string[];
}

export interface SearchResult {
  readonly total: number;
  readonly hits: readonly SearchHit[];
  readonly asked: ResolvedTerms;
  /** Full name of the place understood. */
  readonly place?: string;
  /** Asked-for skills that no vocabulary knows and nobody has. */
  readonly unknownSkills: readonly string[];
  /** Only for a location that names no known place. */
  readonly locationSuggestions?: string[];
}

export interface SearchParts {
  readonly pool: Pick<Pool, "revision" | "rankingFeatures">;
  readonly places: Pick<Places, "find" | "suggest" | "complete" | "similar" | "ancestors" | "byId">;
  readonly vocabulary: Pick<
    Vocabulary,
    | "findSkill"
    | "findLanguage"
    | "findRole"
    | "roles"
    | "words"
    | "suggest"
    | "complete"
    | "similar"
  >;
  /** The pool's database; ":memory:" builds on this thread and keeps no file. */
  readonly poolFile: string;
  /** Names the program's version and shipped data: an index that another one built is built anew. */
  readonly edition: string;
  readonly log: Pick<BaseLogger, "debug" | "info" | "warn" | "error">;
}

/** Ours (decision 17 names no number): what a search without skills, languages and role shows. */
const strongestKeywordsMax = 10;

/** Nothing is read or built before `start`. */
export function createSearch(parts: SearchParts): SearchIndex {
  const file = fileBeside(parts.poolFile);
  const followed = createIndexRefresher({ ...parts, file });
  const loaded = () => {
    const { generation } = followed;
    if (generation) return generation;
    throw new Problem("internal", { cause: new Error("The search index is not loaded yet.") });
  };
  return {
    get isReady() {
      return followed.generation !== undefined;
    },
    get generation() {
      return followed.generation;
    },
    find: (query) => findIn(loaded(), query, parts),
    explain: (person, query) => explainPlacing(loaded(), person, query, parts),
    matchedKeywords,
    lookUp: (asked) => lookUpTerms(loaded(), asked, parts),
    start: followed.start,
    refresh: followed.refresh,
    discard: () => {
      if (file !== undefined) removeGeneration(file);
    },
    close: followed.close,
  };
}

function fileBeside(poolFile: string): string | undefined {
  return poolFile === ":memory:" ? undefined : join(dirname(poolFile), "search.index");
}

function findIn(generation: Generation, query: SearchQuery, parts: SearchParts): SearchResult {
  const plan = resolveQuery(query, parts, generation);
  if (!plan) {
    const locationSuggestions = suggestPlaces(query, parts, generation);
    const asked = { role: undefined, names: [] };
    return { total: 0, hits: [], asked, unknownSkills: [], locationSuggestions };
  }
  const selected = selectByPlan(plan, generation);
  const page = { offset: query.offset, size: query.maxResults };
  const placings = rankPage(selected, plan.ranking, generation, page);
  return {
    total: selected.count,
    hits: placings.map((placing) => toHit(placing, plan, generation)),
    asked: { role: plan.role?.id, names: plan.named.map(({ name }) => name) },
    place: plan.place.fullName,
    unknownSkills: plan.unknownSkills,
  };
}

function matchedKeywords(card: Card, asked: ResolvedTerms, hit: SearchHit): readonly string[] {
  if (asked.role === undefined && asked.names.length === 0) {
    return card.keywords.slice(0, strongestKeywordsMax);
  }
  const ofRole = asked.role === undefined ? [] : (card.roleKeywords[asked.role] ?? []);
  return [...new Set([...hit.evidence, ...ofRole])];
}
