/** Converts a search between its three forms: the address, the fields of the page, and the input of the operation. */
import { limits } from "../../../contract/limits.ts";
import type { SearchRequest, sortOrders } from "../../../contract/requests.ts";
import type { SignedInProperties } from "../page.ts";

export const pageSize = 20;
export const comparedMax = 4;

/** The filters of a search, as the user typed them. A text is empty if the user did not fill it in. */
export interface SearchFilters {
  readonly location: string;
  readonly role: string;
  readonly skills: readonly string[];
  readonly languages: readonly string[];
  readonly repositories: readonly string[];
  readonly company: string;
  readonly years: string;
  /** The greatest number of years. */
  readonly upTo: string;
  /** The day since which people must have been active, as YYYY-MM-DD. */
  readonly since: string;
  readonly isHireable: boolean;
  readonly isStrict: boolean;
  /** The figure by which the people are sorted; empty for the match. */
  readonly sort: string;
  readonly offset: number;
  /** The logins of people who are selected. They do not filter the search. */
  readonly picks: readonly string[];
}

export const noFilters = readFilters(new URLSearchParams());

/** Reads the filters from an address. Unknown parameters are ignored, because other sites add some to their links. */
export function readFilters(query: URLSearchParams): SearchFilters {
  const text = (name: string) => (query.get(name) ?? "").trim();
  const list = (name: string) => {
    const names = query.getAll(name).flatMap((part) => part.split(","));
    return [...new Set(names.map((one) => one.trim()).filter(Boolean))];
  };
  const page = Math.trunc(Number(query.get("page"))) || 1;
  return {
    location: text("location"),
    role: text("role"),
    skills: list("skills"),
    languages: list("languages"),
    repositories: list("repositories"),
    company: text("company"),
    years: text("years"),
    upTo: text("upto"),
    since: text("since"),
    isHireable: text("hireable") === "yes",
    isStrict: text("strict") === "yes",
    sort: text("sort"),
    offset: Math.min(limits.offsetMax, Math.max(0, (page - 1) * pageSize)),
    picks: splitLogins(query.getAll("login")),
  };
}

/** Whether the search asks for a role or skills. If so, scores are not overall scores (decision 47). */
export const isMatch = ({ role, skills }: SearchFilters) => role !== "" || skills.length > 0;

/** Splits texts at blanks and commas into logins. Duplicates are removed, ignoring case. */
export function splitLogins(texts: readonly string[]): readonly string[] {
  const logins = texts.flatMap((text) => text.split(/[\s,]+/)).filter(Boolean);
  return [...new Map(logins.map((login) => [login.toLowerCase(), login])).values()];
}

/** Formats people as the query of an address, which `splitLogins` reads. */
export const formatLogins = (logins: readonly string[]): string =>
  logins.map((login) => `login=${encodeURIComponent(login)}`).join("&");

export function hasQuery(filters: SearchFilters): boolean {
  return formatQuery({ ...filters, sort: "", offset: 0 }) !== "";
}

/** Formats the filters as the query of an address, without a question mark and without the people who are selected. */
export function formatQuery(filters: SearchFilters): string {
  const { location, role, company, years, upTo, since, sort, offset } = filters;
  const stated = Object.entries({
    location,
    role,
    skills: filters.skills.join(", "),
    languages: filters.languages.join(", "),
    repositories: filters.repositories.join(", "),
    company,
    years,
    upto: upTo,
    since,
    hireable: filters.isHireable ? "yes" : "",
    strict: filters.isStrict ? "yes" : "",
    sort,
    page: offset > 0 ? String(offset / pageSize + 1) : "",
  }).filter(([, text]) => text !== "");
  return new URLSearchParams(stated).toString();
}

/** Formats the address of the search, with the people who are selected. */
export function formatSearchPath(filters: SearchFilters): string {
  const query = new URLSearchParams(formatQuery(filters));
  for (const login of filters.picks) query.append("login", login);
  return query.size === 0 ? "/" : `/?${query}`;
}

/** Converts filters to the input of the operation. Without a place, the search is worldwide. */
export function toSearchRequest(filters: SearchFilters): SearchRequest {
  const { location, role, skills, languages, repositories } = filters;
  const { company, years, upTo, since, isHireable, isStrict, sort, offset } = filters;
  return {
    location: location === "" ? "worldwide" : location,
    ...(role === "" ? {} : { role }),
    ...(skills.length === 0 ? {} : { skills: [...skills] }),
    ...(languages.length === 0 ? {} : { languages: [...languages] }),
    ...(repositories.length === 0 ? {} : { repositories: [...repositories] }),
    ...(years === "" ? {} : { minExperienceYears: readYears(years) }),
    ...(upTo === "" ? {} : { maxExperienceYears: readYears(upTo) }),
    ...(company === "" ? {} : { company }),
    ...(since === "" ? {} : { activeSince: since }),
    ...(isHireable ? { isHireable } : {}),
    ...(isStrict && skills.length > 0 ? { strictSkills: true } : {}),
    maxResults: pageSize,
    ...(offset === 0 ? {} : { offset }),
    ...(sort === "" ? {} : { sort: sort as (typeof sortOrders)[number] }),
  };
}

/** Reads a number of years. Other texts are returned unchanged, so that the error message repeats them. */
function readYears(text: string): number {
  const years = Number(text.replace(",", "."));
  return Number.isNaN(years) ? (text as unknown as number) : years;
}

export interface SearchProperties extends SignedInProperties {
  readonly filters: SearchFilters;
}

export interface Filter {
  /** The label of the filter, such as `Kubernetes`. */
  readonly label: string;
  readonly without: SearchFilters;
}

/** Lists the filters of a search, one for each skill, language and repository. */
export function listFilters(
  filters: SearchFilters,
  { place, role, named }: FilterNames,
): readonly Filter[] {
  const { location, skills, company, years, upTo, since, isHireable, isStrict } = filters;
  const part = (label: string, without: Partial<SearchFilters>): Filter => ({
    ...{ label, without: { ...filters, offset: 0, ...without } },
  });
  const listParts = (
    field: "skills" | "languages" | "repositories",
    describe: (name: string) => string,
  ) =>
    filters[field].map((name) => {
      const others = filters[field].filter((other) => other !== name);
      return part(describe(name), { [field]: others });
    });
  return [
    location !== "" && part(place ?? location, { location: "" }),
    filters.role !== "" && part(role ?? filters.role, { role: "" }),
    ...listParts("skills", named),
    ...listParts("languages", (name) => `written in ${named(name)}`),
    ...listParts("repositories", (name) => `worked in ${name}`),
    company !== "" && part(`company ${company}`, { company: "" }),
    years !== "" && part(`${years} years or more`, { years: "" }),
    upTo !== "" && part(`at most ${upTo} years`, { upTo: "" }),
    since !== "" && part(`active since ${since}`, { since: "" }),
    isHireable && part("open to work", { isHireable: false }),
    isStrict && skills.length > 1 && part("all skills", { isStrict: false }),
  ].filter((one) => one !== false);
}

/** Roster's own names for the words of a search. `named` finds the name of a skill or language. */
export interface FilterNames {
  readonly place: string | undefined;
  readonly role: string | undefined;
  readonly named: (asked: string) => string;
}

/** A skill or language of a search. */
export interface AskedTerm {
  readonly asked: string;
  /** Roster's own name for it. */
  readonly name: string;
  /** Skills count for the match. Languages only filter. */
  readonly isSkill: boolean;
}

/** Lists the skills and then the languages of a search, each name once. */
export function listAsked({ skills, languages }: SearchFilters, { named }: FilterNames) {
  const terms: readonly AskedTerm[] = [
    ...skills.map((asked) => ({ asked, name: named(asked), isSkill: true })),
    ...languages.map((asked) => ({ asked, name: named(asked), isSkill: false })),
  ];
  return terms.filter(({ name }, at) => terms.findIndex((one) => one.name === name) === at);
}
