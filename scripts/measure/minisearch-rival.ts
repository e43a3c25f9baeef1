import MiniSearch, { type Query } from "minisearch";
import { limits } from "../../src/contract/limits.ts";
import { computeOverallScore } from "../../src/contract/people/developer.ts";
import type { SearchQuery } from "../../src/search/search-index.ts";
import { type Person, places } from "./synthetic-people.ts";

/**
 * What one would build first: every developer is one MiniSearch document, filters are its query
 * combinations and its `filter` option. It even gets the places resolved and its words ready split.
 */
export function minisearchRival(people: Iterable<Person>): (query: SearchQuery) => number {
  const index = new MiniSearch<Document>({
    fields: ["places", "concepts", "roles", "words"],
    storeFields: ["experienceTenths", "hireable", "score"],
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term,
  });
  for (const person of people) index.add(documentOf(person));
  return (query) => {
    const found = index.search(queryOf(query), {
      filter: ({ experienceTenths, hireable }) =>
        experienceTenths / 10 >= (query.minExperienceYears ?? 0) && (!query.isHireable || hireable),
    });
    // The page is cut too, as a caller would; its order is MiniSearch's own.
    found.slice(query.offset, query.offset + Math.min(query.maxResults, limits.resultsMax));
    return found.length;
  };
}

interface Document {
  readonly id: number;
  readonly places: string;
  readonly concepts: string;
  readonly roles: string;
  readonly words: string;
  readonly experienceTenths: number;
  readonly hireable: boolean;
  readonly score: number;
}

/** The fields a text index needs, ready split by spaces. */
export function documentOf({ rowId, standing }: Person): Document {
  const ids = new Set(standing.places.flatMap((id) => [id, ...places.ancestors(id)]));
  return {
    id: rowId,
    places: [...ids].join(" "),
    concepts: standing.concepts.map(({ concept }) => concept).join(" "),
    roles: standing.roles
      .filter(({ match }) => match >= 25)
      .map(({ role }) => role)
      .join(" "),
    words: standing.words.join(" "),
    experienceTenths: standing.experienceTenths,
    hireable: standing.hireable,
    score: computeOverallScore(standing.profile, standing.techStack, standing.activity),
  };
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
