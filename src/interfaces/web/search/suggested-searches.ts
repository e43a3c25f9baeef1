/** Suggests searches that suit the best people in this pool. This costs no call. */
import { listNamedRoles, type ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import type { ComputingModules } from "../calls.ts";
import { formatCounted } from "../look/format.ts";
import {
  type FilterNames,
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

export async function hasPlaces(search: ComputingModules["search"]): Promise<boolean> {
  const nowhere = { location: "", maxResults: 1, offset: 0 };
  const { locationSuggestions = [] } = await search.find(nowhere);
  return locationSuggestions.length > 0;
}

/** Composes searches for what most of these people have in common. Each search finds at least one of the people. */
function composeSearches(people: readonly ProfileAnalysis[]) {
  const found: { filters: SearchFilters; role: string | undefined }[] = [];
  const add = (filters: Partial<SearchFilters>, role?: string) =>
    found.push({ filters: { ...noFilters, ...filters }, role });
  const location = findMostCommon(people.map(({ profile }) => profile.places[0]));
  const there = people.filter(({ profile }) => profile.places[0] === location);
  const roleOf = (one: ProfileAnalysis) => listNamedRoles(one)[0];
  const role = findMostCommon(there.map((one) => roleOf(one)?.role));
  const able = there.find((one) => roleOf(one)?.role === role);
  if (role !== undefined && able) {
    const also = location === undefined ? { skills: listSkills(able, 1) } : { location };
    add({ role, ...also }, roleOf(able)?.displayName);
  }
  const pairs = people.map((one) => listSkills(one, 2).sort()).filter(({ length }) => length === 2);
  const pair = findMostCommon(pairs.map((skills) => skills.join(", ")));
  if (pair !== undefined) add({ skills: pair.split(", "), isStrict: true });
  const languageOf = ({ repositories }: ProfileAnalysis) => repositories.languages[0]?.language;
  const language = findMostCommon(people.map(languageOf));
  if (language !== undefined) {
    const able = people.filter((one) => languageOf(one) === language);
    const years = Math.max(...able.map(({ proficiency }) => proficiency.experienceYears));
    const asked = Math.min(yearsAsked, Math.floor(years));
    add({ languages: [language], years: asked > 0 ? String(asked) : "" });
  }
  const names = people.flatMap(({ repositories: { top, contributions } }) => [
    ...top.map(({ name }) => name),
    ...contributions.map(({ repository }) => repository),
  ]);
  const repository = findMostCommon(names);
  if (repository !== undefined) add({ repositories: [repository] });
  return found;
}

const yearsAsked = 5;

/** Lists a person's skills without libraries, the strongest first. */
function listSkills({ repositories }: ProfileAnalysis, most: number): string[] {
  return repositories.skills
    .filter(({ type, skill }) => type !== "library" && !skill.includes(","))
    .slice(0, most)
    .map(({ skill }) => skill);
}

/** @returns the most common text. If several are equally common, the first of them. */
function findMostCommon(texts: readonly (string | undefined)[]): string | undefined {
  const groups = Map.groupBy(texts, (text) => text);
  groups.delete(undefined);
  return [...groups].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** Formats a search as `Backend, Go in Berlin, 5 years or more`. @param names Roster's own names for the words of the search. */
export function formatSearchName(
  filters: SearchFilters,
  { place, role, named }: FilterNames,
): string {
  const { skills, languages, repositories, company, years, upTo, since } = filters;
  const { isHireable, isStrict } = filters;
  const work = [
    role ?? filters.role,
    skills.map(named).join(isStrict ? " and " : " or "),
    languages.map(named).join(" or "),
  ].filter(Boolean);
  const where = formatWhere(place ?? filters.location);
  const name = [
    work.length === 0 && where === "" ? "" : `${work.join(", ") || "People"}${where}`,
    repositories.length === 0 ? "" : `worked in ${repositories.join(" or ")}`,
    company === "" ? "" : `at ${company}`,
    years === "" ? "" : `${years} years or more`,
    upTo === "" ? "" : `at most ${upTo} years`,
    since === "" ? "" : `active since ${since}`,
    isHireable ? "open to work" : "",
  ]
    .filter(Boolean)
    .join(", ");
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Formats a place as ` in Berlin` or ` worldwide`; empty without a place. */
function formatWhere(place: string): string {
  const [name = ""] = place.split(",");
  if (name === "") return "";
  return /^world(wide)?$/i.test(name) ? " worldwide" : ` in ${name}`;
}

const namedMax = 3;

/** Formats the heading of results: `20 backend developers with Go in Berlin`. @param lacking names that nobody here has. */
export function formatFound(
  total: number,
  filters: SearchFilters,
  { place, role, named }: FilterNames,
  lacking: readonly string[],
): string {
  const join = (names: readonly string[], by: string) => {
    const known = [...new Set(names.map(named))].filter((name) => !lacking.includes(name));
    const more = known.length - namedMax;
    return known.slice(0, namedMax).join(by) + (more > 0 ? `${by}${more} more` : "");
  };
  const skills = join(filters.skills, filters.isStrict ? " and " : " or ");
  const languages = join(filters.languages, " or ");
  return [
    role === undefined ? formatCounted(total, "person", "people") : formatRoles(total, role),
    skills && ` with ${skills}`,
    languages && ` writing ${languages}`,
    formatWhere(place ?? filters.location),
  ].join("");
}

/** Formats `1 backend developer`, `20 AI engineers` or `2 heads of engineering`. */
function formatRoles(count: number, role: string): string {
  const words = role
    .split(" ")
    .map((word) => (/^[A-Z][a-z-]+(-[A-Z][a-z]+)?$/.test(word) ? word.toLowerCase() : word));
  const one = words.join(" ");
  return formatCounted(count, one, one.includes(" of ") ? one.replace(" of ", "s of ") : `${one}s`);
}
