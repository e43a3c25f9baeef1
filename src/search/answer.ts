/** Composes search results for the index in memory and the index in PostgreSQL. */
import { limits } from "../contract/limits.ts";
import { computeScore } from "../contract/people/developer.ts";
import type { Generation } from "./generation/generation.ts";
import { hasOrdinal } from "./generation/postings.ts";
import type { Placing } from "./rank-page.ts";
import { type QueryPlan, type resolveNowhere, resolveWords } from "./resolve-query.ts";
import type {
  FoundDeveloper,
  ResolvedTerms,
  SearchHit,
  SearchIndex,
  SearchResult,
} from "./search-index.ts";
import type { SearchParts } from "./search-parts.ts";
import { selectWeighing } from "./weighing.ts";

/** @package Creates a search hit from a developer's ordinal and tech stack. */
export function toHit(
  { ordinal, techStack }: Placing,
  { named, ranking }: Pick<QueryPlan, "named" | "ranking">,
  { columns }: Generation,
): SearchHit {
  const profile = columns.profile[ordinal] as number;
  const activity = columns.activity[ordinal] as number;
  return {
    rowId: columns.rowIds[ordinal] as number,
    score: computeScore(profile, techStack, activity, selectWeighing(ranking).weights),
    profile,
    techStack,
    activity,
    evidence: named.filter(({ holders }) => hasOrdinal(holders, ordinal)).map(({ name }) => name),
  };
}

/** The maximum number of keywords shown for a search without skills, languages and role. */
const strongestKeywordsMax = 10;

/** Creates the methods of an index that need only the vocabulary. */
export function createWordMethods({
  vocabulary,
}: Pick<SearchParts, "vocabulary">): Pick<SearchIndex, "roles" | "understand" | "matchedKeywords"> {
  return {
    roles: vocabulary.roles.map(({ id, displayName: name }) => ({ id, name })),
    understand: (query) => resolveWords(query, { vocabulary }),
    matchedKeywords: async (asked, found) => found.map((one) => matchKeywords(asked, one)),
  };
}

function matchKeywords(asked: ResolvedTerms, { card, hit }: FoundDeveloper): readonly string[] {
  if (asked.role === undefined && asked.names.length === 0) {
    return card.keywords.slice(0, strongestKeywordsMax);
  }
  const ofRole = asked.role === undefined ? [] : (card.roleKeywords[asked.role] ?? []);
  if (hit.evidence.length === 0) return ofRole;
  return [...hit.evidence, ...ofRole.filter((name) => !hit.evidence.includes(name))];
}

/**
 * Composes the result of a query whose location names a known place, or that has no location.
 * @package
 * @param nearest for each unknown repository, known repositories with similar names.
 */
export function composeResult(
  { role, place, named, ...plan }: QueryPlan<unknown>,
  {
    nearest,
    ...found
  }: Pick<SearchResult, "total" | "hits"> & { readonly nearest: readonly (readonly string[])[] },
): SearchResult {
  const { understoodRole, unknownSkills, nearTerms, sparseFilters, unknownRepositories } = plan;
  return {
    ...found,
    asked: { role: role?.id, names: named.map(({ name }) => name) },
    place: place.fullName,
    ...{ understoodRole, unknownSkills, nearTerms, sparseFilters, unknownRepositories },
    repositorySuggestions: joinSuggestions(nearest),
  };
}

/** Takes the nearest suggestion of each unknown name first, then the second of each, and so on. */
function joinSuggestions(nearest: readonly (readonly string[])[]): string[] {
  const byRank = nearest
    .flatMap((names) => names.map((name, rank) => ({ name, rank })))
    .sort((a, b) => a.rank - b.rank);
  return [...new Set(byRank.map(({ name }) => name))].slice(0, limits.suggestionsMax);
}

/** @package Composes the result of a query whose location names no known place. */
export function answerNowhere(nowhere: ReturnType<typeof resolveNowhere>) {
  const asked = { role: undefined, names: [] };
  return {
    ...{ total: 0, hits: [], asked, unknownSkills: [], nearTerms: [] },
    ...{ unknownRepositories: [], repositorySuggestions: [], ...nowhere },
  };
}
