/** Suggests searches that suit the best people in this pool. This costs no call. */
import { listNamedRoles, type ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import type { ComputingModules } from "../calls.ts";
import { formatSearchName } from "./search-name.ts";
import {
  formatSearchPath,
  noFilters,
  pageSize,
  type SearchFilters,
  toSearchRequest,
} from "./search-query.ts";

/** @returns suggested searches, the number of people, and whether anybody has a known place. */
export async function suggestSearches({ search, pool }: ComputingModules) {
  const everybody = { ...toSearchRequest(noFilters), maxResults: pageSize, offset: 0 };
  const { hits, total: everyone } = await search.find(everybody);
  const cards = await pool.cards(hits.map(({ rowId }) => rowId));
  const logins = [...cards.values()].map(({ login }) => login);
  const people = (await pool.findAnalyses(logins)).filter((one) => one !== undefined);
  const searches: { name: string; path: string; people: number }[] = [];
  for (const { filters, role } of composeSearches(people)) {
    const total = await countPeople(search, filters);
    if (total === 0) continue;
    const name = formatSearchName(filters, { place: undefined, role, named: (asked) => asked });
    searches.push({ name, path: formatSearchPath(filters), people: total });
  }
  const isPlaced = people.some(({ profile }) => profile.places.length > 0);
  return {
    ...{ searches, people: everyone },
    hasPlaces: isPlaced || people.length === 0 || (await hasPlaces(search)),
  };
}

/** Counts the people whom a search finds. This costs no call. */
export async function countPeople(
  search: ComputingModules["search"],
  filters: SearchFilters,
): Promise<number> {
  const request = { ...toSearchRequest(filters), maxResults: 1, offset: 0 };
  return (await search.find(request)).total;
}

/** Whether anybody in the pool has a known place. */
export async function hasPlaces(search: ComputingModules["search"]): Promise<boolean> {
  const nowhere = { location: "", maxResults: 1, offset: 0 };
  const { locationSuggestions = [] } = await search.find(nowhere);
  return locationSuggestions.length > 0;
}

/** Composes searches for what most of these people have in common. Each search finds at least one of the people. */
function composeSearches(people: readonly ProfileAnalysis[]) {
  const found: (Partial<SearchFilters> & { readonly roleName?: string })[] = [];
  const place = findMostCommon(people.flatMap(({ profile }) => profile.places[0] ?? []));
  const there = people.filter(({ profile }) => profile.places[0] === place);
  const role = findMostCommon(there.flatMap((one) => listNamedRoles(one)[0]?.role ?? []));
  const able = there.find((one) => listNamedRoles(one)[0]?.role === role);
  const roleName = able && listNamedRoles(able)[0]?.displayName;
  if (role !== undefined && roleName !== undefined) {
    const skill = able && listSkills(able)[0];
    const also = place === undefined ? { skills: skill ? [skill] : [] } : { location: place };
    found.push({ role, roleName, ...also });
  }
  const pair = findMostCommon(
    people.map((one) => listSkills(one).slice(0, 2).sort().join(", ")).filter(isPair),
  );
  if (pair !== undefined) found.push({ skills: pair.split(", "), isStrict: true });
  const language = findMostCommon(
    people.flatMap(({ repositories }) => repositories.languages[0]?.language ?? []),
  );
  const years = Math.max(
    0,
    ...people
      .filter(({ repositories }) => repositories.languages[0]?.language === language)
      .map(({ proficiency }) => Math.min(yearsAsked, Math.floor(proficiency.experienceYears))),
  );
  if (language !== undefined) {
    found.push({ languages: [language], years: years === 0 ? "" : String(years) });
  }
  const repository = findMostCommon(
    people.flatMap(({ repositories: { top, contributions } }) => [
      ...top.map(({ name }) => name),
      ...contributions.map(({ repository: name }) => name),
    ]),
  );
  if (repository !== undefined) found.push({ repositories: [repository] });
  return found.map(({ roleName, ...filters }) => ({
    ...{ filters: { ...noFilters, ...filters }, role: roleName },
  }));
}

const yearsAsked = 5;

const isPair = (names: string) => names.includes(", ");

/** Lists a person's skills without libraries, the strongest first. */
function listSkills({ repositories }: ProfileAnalysis): readonly string[] {
  return repositories.skills
    .filter(({ type, skill }) => type !== "library" && !skill.includes(","))
    .map(({ skill }) => skill);
}

/** @returns the most common text. If several are equally common, the first of them. */
function findMostCommon(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  let most: string | undefined;
  for (const [text, count] of counts) if (count > (counts.get(most ?? "") ?? 0)) most = text;
  return most;
}
