/** Sorts the people of a search by a figure instead of the score. */
import type { SearchRequest } from "../contract/requests.ts";
import type { Generation } from "./generation/generation.ts";
import type { GenerationSections } from "./generation/layout.ts";
import { listOrdinals, type Postings, type SparsePostings } from "./generation/postings.ts";
import { type Placing, rankPage } from "./rank-page.ts";
import type { RankingColumns } from "./tech-stack.ts";

/** @package A figure of people, by which they are sorted. */
export type SortFigure = Exclude<SearchRequest["sort"], undefined | "match">;

/** @package Returns the figure, or undefined if the score decides. */
export function toSortFigure({ sort = "match" }: Pick<SearchRequest, "sort">) {
  return sort === "match" ? undefined : sort;
}

/** @package Finds the n-th largest of many figures. */
export class LargestFigures {
  /** The n-th largest figure so far. It is 0 if there are fewer figures. */
  least = 0;
  private readonly size: number;
  private kept: Uint32Array;
  private length = 0;

  constructor(size: number) {
    this.size = size;
    this.kept = new Uint32Array(4 * size + 64);
  }

  add(figure: number): void {
    if (figure <= this.least) return;
    this.kept[this.length++] = figure;
    if (this.length === this.kept.length) this.settle();
  }

  /** Computes `least`. */
  settle(): void {
    const { size, length } = this;
    this.kept.subarray(0, length).sort();
    const extra = Math.max(0, length - size);
    this.kept.copyWithin(0, extra, length);
    this.length = length - extra;
    if (size > 0 && this.length === size) this.least = this.kept[0] as number;
  }
}

/** @package Selects the people whose figure is at least this large. */
export function splitByFigure(
  selected: Postings,
  figures: ArrayLike<number>,
  least: number,
): { readonly above: SparsePostings; readonly equal: SparsePostings } {
  const ordinals = listOrdinals(selected);
  return {
    above: toPostings(ordinals.filter((ordinal) => (figures[ordinal] as number) > least)),
    equal: toPostings(ordinals.filter((ordinal) => figures[ordinal] === least)),
  };
}

/** @package */
export function toPostings(ordinals: Uint32Array): SparsePostings {
  return { count: ordinals.length, ordinals, strengths: undefined };
}

/**
 * Ranks one page of the selected developers by a figure, descending. People with the same figure are ranked by score, then by
 * login.
 * @package
 */
export function rankPageByFigure(
  figure: SortFigure,
  selected: Postings,
  ranking: RankingColumns,
  generation: Generation,
  { offset, size }: { readonly offset: number; readonly size: number },
): readonly Placing[] {
  const figures = generation.columns[figure];
  const wanted = Math.min(offset + size, selected.count);
  const largest = new LargestFigures(wanted);
  for (const ordinal of listOrdinals(selected)) largest.add(figures[ordinal] as number);
  largest.settle();
  const { above, equal } = splitByFigure(selected, figures, largest.least);
  const rank = (some: Postings, count: number) =>
    rankPage(some, ranking, generation, { offset: 0, size: count });
  const first = rank(above, above.count).toSorted(
    (a, b) => (figures[b.ordinal] as number) - (figures[a.ordinal] as number),
  );
  return [...first, ...rank(equal, wanted - above.count)].slice(offset, offset + size);
}

/** @package Figures of a kind, by ordinal. */
export type SortFigures = GenerationSections[SortFigure];
