import { BestFound, type PeopleCollector, type ScoredPerson } from "./best-found.ts";
import type { Generation } from "./generation/generation.ts";
import type { Postings } from "./generation/postings.ts";
import { comparePeople, type SortedPerson, type SortFigure } from "./sorting.ts";
import { createTechStackScoring, listChunks, type RankingColumns } from "./tech-stack.ts";
import { selectWeighing } from "./weighing.ts";

/** @package */
export type Placing = Pick<ScoredPerson, "ordinal" | "techStack">;

/** @package The part of a ranking to return, and the figure that decides before the score. */
export interface PageAsked {
  readonly offset: number;
  readonly size: number;
  readonly figure: SortFigure | undefined;
}

/** @package Ranks one page of the selected developers. */
export function rankPage(
  selected: Postings,
  ranking: RankingColumns,
  { columns }: Generation,
  { offset, size, figure }: PageAsked,
): readonly Placing[] {
  const { bases, loginRanks } = columns;
  const wanted = Math.min(offset + size, selected.count);
  const best = new BestFound<Placing & SortedPerson>(wanted, figure !== undefined);
  const figures = figure && columns[figure];
  rankPeople(selected, ranking, columns.techStack, (ordinal) => bases[ordinal] as number, figures, {
    get threshold() {
      return best.threshold;
    },
    offer: (found) =>
      best.keep(found, () => ({ ...found, loginRank: loginRanks[found.ordinal] as number })),
  });
  return [...best.list()].sort(comparePeople).slice(offset, offset + size);
}

/**
 * Offers the collector the selected developers who reach its threshold, in order of ordinal. Stops when no later developer can
 * reach the threshold.
 * @param ofBestRole for each ordinal, the tech stack for a query without a role or skills.
 * @param figures for each ordinal, the figure by which the search is sorted.
 */
export function rankPeople(
  selected: Postings,
  ranking: RankingColumns,
  ofBestRole: ArrayLike<number>,
  getBase: (ordinal: number) => number,
  figures: ArrayLike<number> | undefined,
  collector: PeopleCollector,
): void {
  const { score, techMax } = createTechStackScoring(ranking, ofBestRole);
  const { toTenths, tenthsPerTechPoint } = selectWeighing(ranking);
  for (const chunk of listChunks(selected)) {
    const highest = toTenths(getBase(chunk[0] as number));
    const techMin = (collector.threshold - highest) / tenthsPerTechPoint;
    if (techMin > techMax) break;
    const techs = score(chunk);
    for (let at = 0; at < chunk.length; at++) {
      const techStack = techs[at] as number;
      // This comparison excludes most developers.
      if (techStack < techMin) continue;
      const ordinal = chunk[at] as number;
      const base = getBase(ordinal);
      const tenths = toTenths(base) + tenthsPerTechPoint * techStack;
      if (tenths < collector.threshold) continue;
      collector.offer({ figure: figures?.[ordinal] ?? 0, tenths, base, techStack, ordinal });
    }
  }
}

/**
 * Returns the placing of one selected developer, and the number of developers before them. It gives the same result as
 * `rankPage`, without sorting.
 * @package
 */
export function findPlacing(
  selected: Postings,
  ranking: RankingColumns,
  { columns }: Generation,
  ordinal: number,
): Placing & { readonly before: number } {
  const { bases, loginRanks, techStack: ofBestRole } = columns;
  const { toTenths, tenthsPerTechPoint } = selectWeighing(ranking);
  const own = createTechStackScoring(ranking, ofBestRole).score(Uint32Array.of(ordinal));
  const techStack = own[0] as number;
  const threshold = toTenths(bases[ordinal] as number) + tenthsPerTechPoint * techStack;
  const loginRank = loginRanks[ordinal] as number;
  let before = 0;
  const getBase = (other: number) => bases[other] as number;
  rankPeople(selected, ranking, ofBestRole, getBase, undefined, {
    threshold,
    offer(other) {
      const isBefore =
        other.tenths > threshold || (loginRanks[other.ordinal] as number) < loginRank;
      if (isBefore) before++;
    },
  });
  return { ordinal, techStack, before };
}
