import { limits } from "../contract/limits.ts";
import { asSearchResultItem, SearchData } from "../contract/people/developer.ts";
import { SearchRequest } from "../contract/requests.ts";
import { defineOperation } from "./operation.ts";

export const searchDevelopers = defineOperation({
  name: "search_developers",
  command: "search",
  summary: "Search developers by location, role, skills and languages",
  description:
    "Answers with developers ranked best first, each with scores and the evidence that matched, and with the exact " +
    "total. Filters that are left out do not filter. A place that is not known gives no results but similar places.",
  scope: "search",
  method: "POST",
  path: "/v1/search",
  input: SearchRequest,
  output: SearchData,
  example: { location: "Berlin", role: "backend", skills: ["Go", "Kubernetes"], maxResults: 5 },
  run(input, { pool, search }) {
    const found = search.find({
      ...input,
      maxResults: input.maxResults ?? limits.resultsDefault,
      offset: input.offset ?? 0,
    });
    if (found.locationSuggestions) {
      const { locationSuggestions } = found;
      return { matchedCount: 0, totalCount: 0, results: [], locationSuggestions };
    }
    const cards = pool.cards(found.hits.map((hit) => hit.rowId));
    const results = found.hits.flatMap((hit) => {
      const card = cards.get(hit.rowId);
      return card
        ? [asSearchResultItem(card, hit, search.matchedKeywords(card, found.asked, hit))]
        : [];
    });
    const { place, unknownSkills } = found;
    return {
      matchedCount: results.length,
      totalCount: found.total,
      results,
      ...(place === undefined ? {} : { place }),
      ...(unknownSkills.length > 0 ? { unknownSkills: [...unknownSkills] } : {}),
    };
  },
});
