import { limits } from "../../../contract/limits.ts";
import type { SearchData } from "../../../contract/people/developer.ts";
import type { SearchRequest } from "../../../contract/requests.ts";
import type { Advice } from "./answer-text.ts";

/** @package Where the next page begins, and what to ask instead where this was little use. */
export function adviseSearch(data: SearchData, asked: SearchRequest): Advice {
  const { matchedCount, totalCount, locationSuggestions, unknownSkills } = data;
  const { offset = 0 } = asked;
  const next = offset + matchedCount;
  const hasMore = matchedCount > 0 && next < totalCount;
  const hints = [
    unknownSkills?.length ? "Find the known names of skills with lookup_terms." : "",
    locationSuggestions ? "Ask for a known place (lookup_terms names them), or for worldwide." : "",
    !locationSuggestions && totalCount === 0 ? `To find somebody, ${loosened(asked)}.` : "",
    matchedCount === 0 && totalCount > 0
      ? "Nobody is left at this offset: ask for a lower one."
      : "",
    hasMore && next > limits.offsetMax
      ? `No offset goes beyond ${limits.offsetMax}: to see the others, ask for fewer.`
      : "",
  ].filter((hint) => hint !== "");
  return { hints, ...(hasMore && next <= limits.offsetMax ? { nextOffset: next } : {}) };
}

/** The filters of this search, those first that keep most people out. */
function loosened(asked: SearchRequest): string {
  const filters = [
    asked.strictSkills && (asked.skills?.length ?? 0) > 1 && "strictSkills",
    asked.isHireable && "isHireable",
    asked.minExperienceYears && "minExperienceYears",
    asked.languages?.length && "languages",
    asked.skills?.length && "skills",
    asked.role && "role",
  ].filter(Boolean);
  const wider = "ask for a wider place: its country, or worldwide";
  return filters.length > 0 ? `leave out ${filters.join(" or ")}, or ${wider}` : wider;
}
