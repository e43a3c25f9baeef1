import MiniSearch, { type Query } from "minisearch";
import { limits } from "../../../src/contract/limits.ts";
import type { SearchQuery } from "../../../src/search/search-index.ts";
import type { Person } from "../synthetic-people.ts";
import { documentOf, type PersonDocument } from "./person-document.ts";
import type { Rival } from "./rival.ts";

/**
 * What one would build first: every developer is one MiniSearch document, filters are its query
 * combinations and its `filter` option. It even gets the places resolved and its words ready split.
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
    // The page is cut too, as a caller would; its order is MiniSearch's own.
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
