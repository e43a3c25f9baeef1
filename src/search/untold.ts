import type { SearchRequest } from "../contract/requests.ts";
import { everywhere, type Place } from "../places/places.ts";
import type { Lists } from "./generation/lists.ts";

type Counted = { readonly count: number };

/** A filter that finds nobody, in a pool that is told too little for it. */
export interface UntoldFilter {
  readonly field: "location" | "isHireable";
  /** How many people are told what the filter looks for. */
  readonly told: number;
  /** How many there are in all. */
  readonly people: number;
}

/**
 * Lists the filters that find nobody because few people, or none, are told what they look for: history tells no places.
 *
 * Where half of the people or more have a place, a place without people is an answer; half is our own choice.
 *
 * @package
 * @param place undefined for a location that names no known place.
 */
export function listUntold(
  { isHireable }: Pick<SearchRequest, "isHireable">,
  place: Place | undefined,
  { postings }: Pick<Lists<Counted>, "postings">,
): readonly UntoldFilter[] {
  const people = postings(`place:${everywhere}`).count;
  const untold: UntoldFilter[] = [];
  if (!place || postings(`place:${place.id}`).count === 0) {
    const told = postings("placed:yes").count;
    if (told < people / 2) untold.push({ field: "location", told, people });
  }
  if (isHireable && people > 0 && postings("hireable:yes").count === 0) {
    untold.push({ field: "isHireable", told: 0, people });
  }
  return untold;
}
