/** Formats an operation's data as compact text. */
import type { Meta } from "../../contract/envelope.ts";
import { cleanForModel } from "../../contract/foreign-text.ts";
import { limits } from "../../contract/limits.ts";
import type { SearchData } from "../../contract/people/developer.ts";
import type { FindData, FindRequest } from "../../contract/people/found-person.ts";
import type { SearchRequest } from "../../contract/requests.ts";
import type { Operation } from "../../operations/operation.ts";
import { listLines } from "../../operations/view.ts";

export interface Advice {
  readonly nextOffset?: number;
  readonly hints: readonly string[];
}

export function findAdvice(operation: string, data: unknown, request: unknown): Advice {
  if (operation === "search_developers") {
    return adviseSearch(data as SearchData, request as SearchRequest);
  }
  if (operation === "find_people") return adviseFinding(data as FindData, request as FindRequest);
  return { hints: [] };
}

/** Lists the lines of an answer. Without a view, the answer is shown as JSON. */
export function formatLines({ view }: Pick<Operation, "view">, data: unknown): readonly string[] {
  return view ? listLines(view(data)) : [cleanForModel(JSON.stringify(data), fallbackLettersMax)];
}

/** @package Joins the lines of an answer. Adds hints and the number of calls used. */
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

/** @package Finds the offset of the next page, and hints for a better search. */
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

/** Suggests which search filters to leave out, the most restrictive first. */
function suggestWider(request: SearchRequest): string {
  const filters = [
    request.strictSkills && (request.skills?.length ?? 0) > 1 && "strictSkills",
    request.isHireable && "isHireable",
    request.activeSince && "activeSince",
    request.minExperienceYears && "minExperienceYears",
    request.maxExperienceYears !== undefined && "maxExperienceYears",
    request.company && "company",
    request.repositories?.length && "repositories",
    request.languages?.length && "languages",
    request.skills?.length && "skills",
    request.role && "role",
  ].filter(Boolean);
  const wider = "ask for a wider place: its country, or worldwide";
  return filters.length > 0 ? `leave out ${filters.join(" or ")}, or ${wider}` : wider;
}
