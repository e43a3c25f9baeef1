import MiniSearch, { type Query } from "minisearch";
import { limits } from "../../../src/contract/limits.ts";
import type { SearchQuery } from "../../../src/search/search-index.ts";
import type { Person } from "../synthetic-people.ts";
import { documentOf, type PersonDocument } from "./person-document.ts";
import type { Rival } from "./rival.ts";

/**
 * What one might build first: every developer is one MiniSearch document, and the filters are query combinations and the
 * `filter` option. Places are resolved and words are split beforehand, which favours it.
 */
export function minisearchRival(people: Iterable<Person>): Rival {
  const index = new MiniSearch<PersonDocument>({
    fields: ["places", "concepts", "roles", "words"],
    storeFields: ["experienceTenths", "hireable", "score"],
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term,
  });
  for (const person of people) index.add(documentOf(person));
  const total = (query: SearchQuery) => {
    const found = index.search(queryOf(query), {
      filter: ({ experienceTenths, hireable }) =>
        experienceTenths / 10 >= (query.minExperienceYears ?? 0) && (!query.isHireable || hireable),
    });
    // A caller would take a page, too. It is in MiniSearch's own order.
    found.slice(query.offset, query.offset + Math.min(query.maxResults, limits.resultsMax));
    return found.length;
  };
  return { total };
}

function queryOf(query: SearchQuery): Query {
  const all: Query[] = [{ queries: [query.location], fields: ["places"] }];
  if (query.role) all.push({ queries: [query.role], fields: ["roles"] });
  const skills = (query.skills ?? []).map(
    (skill): Query =>
      skill.includes(" ")
        ? { queries: skill.split(" "), fields: ["words"], combineWith: "AND" }
        : { queries: [skill], fields: ["concepts"] },
  );
  if (skills.length > 0) {
    all.push({ queries: skills, combineWith: query.strictSkills ? "AND" : "OR" });
  }
  if (query.languages) {
    all.push({ queries: [...query.languages], fields: ["concepts"], combineWith: "OR" });
  }
  return { queries: all, combineWith: "AND" };
}
