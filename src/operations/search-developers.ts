import { cutText, describeUnknown, findNearest } from "../contract/complaint.ts";
import { Payload, writeFields } from "../contract/envelope.ts";
import { limits } from "../contract/limits.ts";
import { SearchData, SearchResultItem, writeSearchResult } from "../contract/people/developer.ts";
import { createInvalidRequest } from "../contract/problem.ts";
import { SearchRequest } from "../contract/requests.ts";
import type { SearchResult } from "../search/search-index.ts";
import { listedWithout, viewSearch } from "./developer-view.ts";
import { defineOperation, type Modules } from "./operation.ts";

export const searchDevelopers = defineOperation({
  name: "search_developers",
  command: "search",
  summary: "Search developers by location, role, skills and languages",
  description:
    "Finds and ranks developers by place, role, skills, languages, company and experience. Use it to find people for a job, or all " +
    "people of a company. For a person's name use find_people; for who knows a file or repository, who_knows. People must pass every " +
    "filter. Answers with a page of people (scores, contact, followers, years; fields picks some), ordered by sort, and the total " +
    "number; an unknown place is answered with similar ones. Costs one call.",
  scope: "search",
  method: "POST",
  path: "/v1/search",
  input: SearchRequest,
  output: SearchData,
  slimWithout: [...["nearTerms", "notices"], ...listedWithout.map((field) => `results.${field}`)],
  aliases: ["offset", "results.github_experience"],
  example: {
    ...{ location: "Berlin", role: "backend", skills: ["Go", "Kubernetes"] },
    ...{ maxExperienceYears: 15, sort: "match", maxResults: 5 },
  },
  fieldsExample: {
    ...{ location: "Worldwide", company: "Placeholder Bank", maxResults: 3 },
    fields: ["name", "company", "location", "score"],
  },
  view: viewSearch,
  async run(input, { pool, search }) {
    const fields = input.fields?.length ? readFields(input.fields) : undefined;
    const { maxResults = limits.resultsDefault, offset = 0 } = input;
    const found = await search.find({ ...input, maxResults, offset });
    if (found.locationSuggestions) {
      const { locationSuggestions } = found;
      const nobody = { matchedCount: 0, totalCount: 0, offset, results: [] };
      return { ...nobody, locationSuggestions, ...describeSparseFilters(found) };
    }
    // The revision is read before the cards. If a card changes in between, the next call writes the page again.
    const revision = await pool.revision();
    const known = writtenPages.get(found);
    const page =
      known?.revision === revision
        ? known
        : { revision, ...(await writePage(found, offset, fields, { pool, search })) };
    if (page !== known) writtenPages.set(found, page);
    return Payload.ofJson<SearchData>(page.json, page.cards);
  },
});

type Page = Awaited<ReturnType<typeof writePage>>;

/** The written page of each search result. For a repeated search, the index returns the same result object. */
const writtenPages = new WeakMap<SearchResult, Page & { readonly revision: number }>();

/** @throws Problem `invalid_request` for a name that is no field of a result. */
function readFields(names: readonly string[]): ReadonlySet<string> {
  const known = Object.keys(SearchResultItem.properties);
  for (const [at, name] of names.entries()) {
    if (known.includes(name)) continue;
    const near = findNearest(name, known);
    const complaint = describeUnknown("field", cutText(name), near, `known: ${known.join(", ")}`);
    throw createInvalidRequest(`fields[${at}]: ${complaint}`);
  }
  return new Set(["login", ...names]);
}

function pickFields(result: string, fields: ReadonlySet<string>): string {
  const entries = Object.entries(JSON.parse(result) as object);
  return JSON.stringify(Object.fromEntries(entries.filter(([name]) => fields.has(name))));
}

/**
 * Writes a page of results as JSON. The stored cards are JSON already, so their texts are joined.
 * @param fields the fields to write. Without it, all are written.
 */
async function writePage(
  found: SearchResult,
  offset: number,
  fields: ReadonlySet<string> | undefined,
  { pool, search }: Pick<Modules, "pool" | "search">,
) {
  const read = await pool.writtenCards(found.hits.map((hit) => hit.rowId));
  const hitCards = found.hits.flatMap((hit, at) => {
    const card = read[at];
    return card ? [{ card, hit }] : [];
  });
  const keywords = await search.matchedKeywords(found.asked, hitCards);
  const { place, understoodRole, unknownSkills, nearTerms } = found;
  const { unknownRepositories, repositorySuggestions } = found;
  const counts = writeFields({ matchedCount: hitCards.length, totalCount: found.total, offset });
  const understood = writeFields({
    place,
    role: understoodRole?.name,
    roleLanguages: understoodRole?.languages,
    roleSeniority: understoodRole?.seniority,
    ...(unknownSkills.length > 0 && { unknownSkills }),
    ...(nearTerms.length > 0 && { nearTerms }),
    ...describeSparseFilters(found),
    ...(unknownRepositories.length > 0 && { unknownRepositories, repositorySuggestions }),
  });
  // Appending is cheap: the engine copies the string only once, when it is sent.
  let text = `{${counts},"results":[`;
  for (const [at, { card, hit }] of hitCards.entries()) {
    if (at > 0) text += ",";
    const result = writeSearchResult(card, hit, keywords[at] ?? []);
    text += fields ? pickFields(result, fields) : result;
  }
  const json = new TextEncoder().encode(`${text}]${understood === "" ? "" : `,${understood}`}}`);
  return { json, cards: fields ? undefined : hitCards.map(({ card }) => card) };
}

const names = { location: "place", company: "company" };

const remedy =
  "git history does not contain it, but profiles of a forge or an import of people may";

/** Explains why some filters find few people: the pool has little data for them. */
function describeSparseFilters({ sparseFilters }: SearchResult): Pick<SearchData, "notices"> {
  if (sparseFilters.length === 0) return {};
  const notices = sparseFilters.map(({ field, known, people }) => {
    const [some, all] = [known, people].map((count) => count.toLocaleString("en"));
    const who = known === 0 ? "Nobody" : `Only ${some} of ${all} people`;
    const has = known > 1 ? "have" : "has";
    const what = field === "isHireable" ? "is marked hireable" : `${has} a known ${names[field]}`;
    return `${who} in this pool ${what}: ${remedy}.`;
  });
  return { notices };
}
