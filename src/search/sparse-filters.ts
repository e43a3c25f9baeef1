import type { SearchRequest } from "../contract/requests.ts";
import { everywhere, type Place } from "../places/places.ts";
import { listCompanyWords } from "./company-words.ts";
import type { Lists } from "./generation/lists.ts";

type Counted = { readonly count: number };

/** A filter that finds no one because few people have the tested field. */
export interface SparseFilter {
  readonly field: "location" | "isHireable" | "company";
  /** The number of people who have the field. */
  readonly known: number;
  /** The number of all people. */
  readonly people: number;
}

/**
 * Lists the filters that find no one because less than half of the people have the tested field. Git history, for example,
 * contains no places.
 * @package
 * @param place undefined for a location that names no known place.
 */
export function listSparseFilters(
  { isHireable, company }: Pick<SearchRequest, "isHireable" | "company">,
  place: Place | undefined,
  { postings }: Pick<Lists<Counted>, "postings">,
): readonly SparseFilter[] {
  const people = postings(`place:${everywhere}`).count;
  const sparseFilters: SparseFilter[] = [];
  if (!place || postings(`place:${place.id}`).count === 0) {
    const known = postings("placed:yes").count;
    if (known < people / 2) sparseFilters.push({ field: "location", known, people });
  }
  if (isHireable && people > 0 && postings("hireable:yes").count === 0) {
    sparseFilters.push({ field: "isHireable", known: 0, people });
  }
  if (company !== undefined) {
    const words = listCompanyWords(company);
    const known = postings("employed:yes").count;
    const isNobody = words.some((word) => postings(`company:${word}`).count === 0);
    if (isNobody && known < people / 2) sparseFilters.push({ field: "company", known, people });
  }
  return sparseFilters;
}
