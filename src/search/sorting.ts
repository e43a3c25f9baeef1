/** The order of a search: by a figure if one is asked, then by score, then by login. */
import type { SearchRequest } from "../contract/requests.ts";
import type { ScoredPerson } from "./best-found.ts";

/** @package A figure of people, by which they are sorted. */
export type SortFigure = Exclude<SearchRequest["sort"], undefined | "match">;

/** @package Returns the figure, or undefined if the score decides. */
export function toSortFigure({ sort = "match" }: Pick<SearchRequest, "sort">) {
  return sort === "match" ? undefined : sort;
}

/** @package What decides the order of two people. */
export interface SortedPerson extends Pick<ScoredPerson, "figure" | "tenths"> {
  readonly loginRank: number;
}

/** @package Compares shown scores (decisions 16 and 47), and lower-cased logins in code-unit order. */
export function comparePeople(a: SortedPerson, b: SortedPerson): number {
  return b.figure - a.figure || b.tenths - a.tenths || a.loginRank - b.loginRank;
}
