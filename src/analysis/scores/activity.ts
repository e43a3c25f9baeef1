import { toMonthIndex } from "../calendar.ts";
import type { FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { type ComponentPart, type ScoreComponent, sumComponent } from "./component.ts";
import { interpolateUnitCurve, roundHalfUp, scaleLogarithmically, shrinkShare } from "./curve.ts";
import { findFirstDay } from "./experience.ts";

/**
 * Scores activity, 35 % of the score: how much, how steadily, how much with others, how well described. The last two
 * count by how steady the work is: good messages of long ago are no activity.
 */
export function scoreActivity(
  counted: FactsAsOf,
  cadence: Cadence | undefined,
  model: Model,
): ScoreComponent {
  const facts = counted.facts.commits;
  // Without commits there is no activity: shrunk shares of nothing must not raise the score.
  if (!facts || !cadence || !counted.commits?.total) return sumComponent([]);
  const { weights } = model.activity;
  return sumComponent([
    volume(cadence, model),
    activeMonths(cadence, model),
    collaboration("reviews", facts.reviews, cadence, {
      weight: weights.reviews,
      median: model.activity.reviewsMedian,
    }),
    collaboration("changes merged elsewhere", facts.mergedElsewhere, cadence, {
      weight: weights.merged,
      median: model.activity.mergedMedian,
    }),
    collaboration("shared commits", facts.coAuthored, cadence, {
      weight: weights.coAuthored,
      median: model.activity.coAuthoredMedian,
    }),
    quality(counted.commits.quality, cadence, model),
  ]);
}

function volume({ lastYear, bestYear }: Cadence, { activity }: Model): ComponentPart {
  const { windowMonths, lookBackMonths, bestWindowFactor, volumeFull, weights } = activity;
  return {
    term: "volume",
    value: scaleLogarithmically(Math.max(lastYear, bestWindowFactor * bestYear), volumeFull),
    weight: weights.volume,
    evidence: [
      `${roundHalfUp(lastYear, 2)} commits per month over the last ${windowMonths} full months`,
      `${roundHalfUp(bestYear, 2)} per month over the best ${windowMonths} of the last ${lookBackMonths}`,
    ],
  };
}

function activeMonths({ activeMonths: active, steadiness }: Cadence, model: Model): ComponentPart {
  const { windowMonths, weights } = model.activity;
  return {
    term: "active months",
    value: 100 * steadiness,
    weight: weights.activeMonths,
    evidence: [`${active} of ${windowMonths} months with commits in the most active window`],
  };
}

function collaboration(
  term: string,
  count: number | undefined,
  { steadiness }: Cadence,
  of: { readonly weight: number; readonly median: number },
): ComponentPart {
  return {
    term,
    value: count === undefined ? undefined : steadiness * interpolateUnitCurve(count, of.median),
    weight: of.weight,
    evidence: [`${count ?? 0} ${term}`, bySteadiness(steadiness)],
  };
}

function quality(
  judged: { readonly n: number; readonly good: number },
  { steadiness }: Cadence,
  { activity, population }: Model,
): ComponentPart {
  const { n, good } = judged;
  const to = { mean: population.quality, weight: population.weight };
  const share = n === 0 ? undefined : shrinkShare({ share: Math.min(1, good / n), n }, to);
  return {
    term: "message quality",
    value: share === undefined ? undefined : 100 * share * steadiness,
    weight: activity.weights.quality,
    evidence: [`${good} of ${n} messages are good`, bySteadiness(steadiness)],
  };
}

function bySteadiness(steadiness: number): string {
  return `counted by how steady the work is: times ${roundHalfUp(steadiness, 2)}`;
}

/** How often a developer commits. All months are full months before as-of. */
export interface Cadence {
  /** `commits_per_month`: over the last window, or over the whole of a shorter history; two decimals. */
  readonly perMonth: number;
  /**
   * Exact commits per month of the last window and of the best one in the look-back. The divisor is always the whole
   * window: with the shorter divisor of a young history, an older commit would lower the volume term.
   */
  readonly lastYear: number;
  readonly bestYear: number;
  /** Active months of the window that has most of them. */
  readonly activeMonths: number;
  /**
   * 0 to 1: the share of active months, drawn to the population's mean by the commits in the window, but not above
   * itself; of the window where that is most. No further commit lowers it.
   */
  readonly steadiness: number;
  /** Volume by month within the look-back, newest first. */
  readonly volume: readonly number[];
}

/** @returns `undefined` when no source looked at commits. */
export function measureCadence(
  counted: FactsAsOf,
  { activity, population }: Model,
): Cadence | undefined {
  if (!counted.commits) return undefined;
  const to = { mean: population.activeMonths, weight: population.weight };
  const { windowMonths, lookBackMonths, youngMonthsMin } = activity;
  const volume = new Array<number>(lookBackMonths).fill(0);
  for (const { age, amount } of counted.commits.volume) {
    // Age 0 is the as-of month itself, which is not a full month and so belongs to no window.
    if (age >= 1 && age <= lookBackMonths) volume[age - 1] = (volume[age - 1] ?? 0) + amount;
  }
  let lastCommits = 0;
  let bestCommits = 0;
  let activeMonths = 0;
  let steadiness = 0;
  for (let start = 0; start + windowMonths <= lookBackMonths; start++) {
    let commits = 0;
    let active = 0;
    for (let at = start; at < start + windowMonths; at++) {
      const month = volume[at] ?? 0;
      commits += month;
      if (month > 0) active++;
    }
    if (start === 0) lastCommits = commits;
    bestCommits = Math.max(bestCommits, commits);
    activeMonths = Math.max(activeMonths, active);
    const share = active / windowMonths;
    steadiness = Math.max(steadiness, Math.min(share, shrinkShare({ share, n: commits }, to)));
  }
  const first = findFirstDay(counted);
  const history = first === undefined ? 0 : counted.asOfMonth - toMonthIndex(first);
  const divisor = Math.min(windowMonths, Math.max(youngMonthsMin, history));
  return {
    perMonth: roundHalfUp(lastCommits / divisor, 2),
    lastYear: lastCommits / windowMonths,
    bestYear: bestCommits / windowMonths,
    activeMonths,
    steadiness,
    volume,
  };
}
