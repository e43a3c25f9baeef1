/** Describes searches in words, for the titles of pages and for suggestions. */
import type { FilterNames, SearchFilters } from "./search-query.ts";

/** Formats a search as `Backend, Go in Berlin, 5 years or more`. @param names Roster's own names for the words of the search. */
export function formatSearchName(
  filters: SearchFilters,
  { place, role, named }: FilterNames,
): string {
  const { skills, languages, repositories, years, since, isHireable, isStrict } = filters;
  const work = [
    role ?? filters.role,
    skills.map(named).join(isStrict ? " and " : " or "),
    languages.map(named).join(" or "),
  ].filter(Boolean);
  const [placeName = ""] = (place ?? filters.location).split(",");
  const where = formatWhere(placeName);
  const name = [
    work.length === 0 && where === "" ? "" : `${work.join(", ") || "People"}${where}`,
    repositories.length === 0 ? "" : `worked in ${repositories.join(" or ")}`,
    years === "" ? "" : `${years} years or more`,
    since === "" ? "" : `active since ${since}`,
    isHireable ? "open to work" : "",
  ]
    .filter(Boolean)
    .join(", ");
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Formats a place as ` in Berlin` or ` worldwide`; empty without a place. */
export function formatWhere(place: string): string {
  if (place === "") return "";
  return /^world(wide)?$/i.test(place) ? " worldwide" : ` in ${place}`;
}
