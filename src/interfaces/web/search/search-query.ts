/** A search in three forms: in the address, in the form, and as input of the operation. */
import { limits } from "../../../contract/limits.ts";
import type { SearchRequest } from "../../../contract/requests.ts";
import type { SignedInProperties } from "../page.ts";

/** People on one page of results. */
export const pageSize = 20;

/** Every text as it was typed; empty when it was left out. */
export interface SearchFilters {
  readonly location: string;
  readonly role: string;
  readonly skills: readonly string[];
  readonly languages: readonly string[];
  readonly repositories: readonly string[];
  readonly years: string;
  /** A day, YYYY-MM-DD. */
  readonly since: string;
  readonly isHireable: boolean;
  readonly isStrict: boolean;
  readonly offset: number;
}

export const noFilters: SearchFilters = {
  ...{ location: "", role: "", skills: [], languages: [], repositories: [], years: "" },
  since: "",
  ...{ isHireable: false, isStrict: false, offset: 0 },
};

/** Reads an address. Unknown parameters are ignored, because links from other sites may add some. */
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
    years: text("years"),
    since: text("since"),
    isHireable: text("hireable") === "yes",
    isStrict: text("strict") === "yes",
    offset: Math.min(limits.offsetMax, Math.max(0, (page - 1) * pageSize)),
  };
}

/** Whether the filters name anything. */
export function hasQuery(filters: SearchFilters): boolean {
  return formatQuery({ ...filters, offset: 0 }) !== "";
}

/** Without a question mark; empty without filters. */
export function formatQuery(filters: SearchFilters): string {
  const { location, role, years, since, offset } = filters;
  const stated = Object.entries({
    location,
    role,
    skills: filters.skills.join(", "),
    languages: filters.languages.join(", "),
    repositories: filters.repositories.join(", "),
    years,
    since,
    hireable: filters.isHireable ? "yes" : "",
    strict: filters.isStrict ? "yes" : "",
    page: offset > 0 ? String(offset / pageSize + 1) : "",
  }).filter(([, text]) => text !== "");
  return new URLSearchParams(stated).toString();
}

export function formatSearchPath(filters: SearchFilters): string {
  const query = formatQuery(filters);
  return query === "" ? "/" : `/?${query}`;
}

/** Without a place, the search is worldwide, because the operation requires a place. */
export function toSearchRequest(filters: SearchFilters): SearchRequest {
  const { location, role, skills, languages, repositories } = filters;
  const { years, since, isHireable, isStrict, offset } = filters;
  return {
    location: location === "" ? "worldwide" : location,
    ...(role === "" ? {} : { role }),
    ...(skills.length === 0 ? {} : { skills: [...skills] }),
    ...(languages.length === 0 ? {} : { languages: [...languages] }),
    ...(repositories.length === 0 ? {} : { repositories: [...repositories] }),
    ...(years === "" ? {} : { minExperienceYears: Number(years.replace(",", ".")) }),
    ...(since === "" ? {} : { activeSince: since }),
    ...(isHireable ? { isHireable } : {}),
    ...(isStrict && skills.length > 0 ? { strictSkills: true } : {}),
    maxResults: pageSize,
    ...(offset === 0 ? {} : { offset }),
  };
}

/** Properties of the parts of the search page. */
export interface SearchProperties extends SignedInProperties {
  readonly filters: SearchFilters;
}

/** One filter, for a chip that can remove it. */
export interface Filter {
  /** `Kubernetes` */
  readonly label: string;
  /** The same search without it. */
  readonly without: SearchFilters;
  /** A search by it only. */
  readonly alone: SearchFilters;
}

/** Lists each filter of a search. @param named the name that Roster gives a skill or language. */
export function listFilters(
  filters: SearchFilters,
  { place, role, named }: FilterNames,
): readonly Filter[] {
  const { location, skills, years, since, isHireable, isStrict } = filters;
  const part = (
    label: string,
    without: Partial<SearchFilters>,
    alone: Partial<SearchFilters>,
  ): Filter => ({
    label,
    without: { ...filters, offset: 0, ...without },
    alone: { ...noFilters, ...alone },
  });
  const listParts = (
    field: "skills" | "languages" | "repositories",
    describe: (name: string) => string,
  ) =>
    filters[field].map((name) => {
      const others = filters[field].filter((other) => other !== name);
      return part(describe(name), { [field]: others }, { [field]: [name] });
    });
  return [
    location !== "" && part(place ?? location, { location: "" }, { location }),
    filters.role !== "" && part(role ?? filters.role, { role: "" }, { role: filters.role }),
    ...listParts("skills", named),
    ...listParts("languages", (name) => `written in ${named(name)}`),
    ...listParts("repositories", (name) => `worked in ${name}`),
    years !== "" && part(`${years} years or more`, { years: "" }, { years }),
    since !== "" && part(`active since ${since}`, { since: "" }, { since }),
    isHireable && part("hireable", { isHireable: false }, { isHireable: true }),
    isStrict &&
      skills.length > 1 &&
      part("all skills", { isStrict: false }, { skills, isStrict: true }),
  ].filter((one) => one !== false);
}

/** The names that Roster gives the words of a search. */
export interface FilterNames {
  readonly place: string | undefined;
  readonly role: string | undefined;
  readonly named: (asked: string) => string;
}
