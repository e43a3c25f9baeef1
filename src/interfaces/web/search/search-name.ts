/** Describes searches in words, for titles, headings and suggestions. */
import { formatCounted } from "../look/format.ts";
import type { FilterNames, SearchFilters } from "./search-query.ts";

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
