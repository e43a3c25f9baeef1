/** Formats an operation's data as compact text, for people and for models that do not read the structured content. */
import type { Meta } from "../../contract/envelope.ts";
import { cleanForModel, quoteForModel } from "../../contract/foreign-text.ts";
import { limits } from "../../contract/limits.ts";
import type { SearchData } from "../../contract/people/developer.ts";
import type { FindData, FindRequest } from "../../contract/people/found-person.ts";
import type { SearchRequest } from "../../contract/requests.ts";
import type { LookupData } from "../../contract/terms.ts";
import {
  formatAnalysis,
  formatDeveloper,
  formatFound,
  formatKnowing,
  formatSearch,
} from "./people-text.ts";

/** Tells a model what to do next with an answer. */
export interface Advice {
  readonly nextOffset?: number;
  readonly hints: readonly string[];
}

interface View {
  lines(data: never): readonly string[];
  advice?(data: never, request: never): Advice;
}

const views: Record<string, View> = {
  search_developers: { lines: formatSearch, advice: adviseSearch },
  get_developer: { lines: formatDeveloper },
  analyze_profile: { lines: formatAnalysis },
  lookup_terms: { lines: formatTerms },
  find_people: { lines: formatFound, advice: adviseFinding },
  who_knows: { lines: formatKnowing },
};

/** @param request the operation's input, already validated. */
export function findAdvice(operation: string, data: unknown, request: unknown): Advice {
  return views[operation]?.advice?.(data as never, request as never) ?? { hints: [] };
}

/** Formats the answer; an operation without a view is shown as JSON, cleaned and cut in the same way. */
export function formatAnswer(
  operation: string,
  data: unknown,
  meta: Pick<Meta, "quota">,
  advice: Advice,
): string {
  return joinLines(formatLines(operation, data), meta, advice);
}

/** @package */
export function formatLines(operation: string, data: unknown): readonly string[] {
  const view = views[operation];
  return view
    ? view.lines(data as never)
    : [cleanForModel(JSON.stringify(data), fallbackLettersMax)];
}

/** @package Joins the lines of an answer, and adds what to do next and what it cost. */
export function joinLines(
  lines: readonly string[],
  { quota }: Pick<Meta, "quota">,
  { nextOffset, hints }: Advice,
): string {
  const of = quota.limit < 0 ? "" : ` of ${quota.limit}`;
  return [
    ...lines,
    ...hints,
    nextOffset === undefined ? "" : `The next page has offset ${nextOffset}.`,
    `Calls used in ${quota.month}: ${quota.used}${of}.`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

const fallbackLettersMax = 20_000;

/** @package Finds where the next page begins, and what to ask instead if the answer is of little use. */
function adviseSearch(data: SearchData, request: SearchRequest): Advice {
  const { matchedCount, totalCount, locationSuggestions, unknownSkills } = data;
  const { offset = 0 } = request;
  const next = offset + matchedCount;
  const hasMore = matchedCount > 0 && next < totalCount;
  const hints = [
    unknownSkills?.length ? "Find the known names of skills with lookup_terms." : "",
    locationSuggestions ? "Ask for a known place (lookup_terms names them), or for worldwide." : "",
    !locationSuggestions && totalCount === 0 ? `To find somebody, ${suggestWider(request)}.` : "",
    matchedCount === 0 && totalCount > 0
      ? "Nobody is left at this offset: ask for a lower one."
      : "",
    hasMore && next > limits.offsetMax
      ? `No offset goes beyond ${limits.offsetMax}: to see the others, ask for fewer.`
      : "",
  ].filter((hint) => hint !== "");
  return { hints, ...(hasMore && next <= limits.offsetMax ? { nextOffset: next } : {}) };
}

function adviseFinding({ total, results }: FindData, { offset = 0 }: FindRequest): Advice {
  const next = offset + results.length;
  const hasMore = results.length > 0 && next < total && next <= limits.offsetMax;
  const hint = "Ask with fewer words of the name, or with their beginnings.";
  return { hints: total === 0 ? [hint] : [], ...(hasMore ? { nextOffset: next } : {}) };
}

/** Suggests dropping filters of this search, most restrictive first. */
function suggestWider(request: SearchRequest): string {
  const filters = [
    request.strictSkills && (request.skills?.length ?? 0) > 1 && "strictSkills",
    request.isHireable && "isHireable",
    request.minExperienceYears && "minExperienceYears",
    request.repositories?.length && "repositories",
    request.languages?.length && "languages",
    request.skills?.length && "skills",
    request.role && "role",
  ].filter(Boolean);
  const wider = "ask for a wider place: its country, or worldwide";
  return filters.length > 0 ? `leave out ${filters.join(" or ")}, or ${wider}` : wider;
}

/** @package One line for each term. Only repositories are named by others; our own lists need no cleaning. */
function formatTerms({ terms }: LookupData): string[] {
  if (terms.length === 0) return ["No place, skill, role or repository is called so or nearly so."];
  return terms.map(({ kind, name, people }) => {
    return `${kind} ${kind === "repository" ? quoteForModel(name) : name}: ${people} people`;
  });
}
