import {
  formatCount,
  formatCounted,
  formatShare,
  formatShortMonth,
  formatSpan,
} from "../../contract/format.ts";
import { formatMonth, toMonthIndex } from "../calendar.ts";
import type { FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { type ComponentPart, type ScoreComponent, sumComponent } from "./component.ts";
import { interpolateUnitCurve, roundHalfUp, scaleLogarithmically, shrinkShare } from "./curve.ts";
import { findFirstDay } from "./experience.ts";

/**
 * Scores activity, which is 35 % of the score. The parts for collaboration and message quality are multiplied by steadiness,
 * because good messages of long ago are not activity.
 */
export function scoreActivity(
  counted: FactsAsOf,
  cadence: Cadence | undefined,
  model: Model,
): ScoreComponent {
  const facts = counted.facts.commits;
  // Without commits, activity is 0. The shares below would be positive, because they are shrunk toward the mean.
  if (!facts || !cadence || !counted.commits?.total) return sumComponent([]);
  const { weights, reviewsMedian, mergedMedian, coAuthoredMedian } = model.activity;
  return sumComponent([
    volume(cadence, counted, model),
    activeMonths(cadence, model),
    collaboration("reviews", facts.reviews, cadence, [weights.reviews, reviewsMedian]),
    collaboration("changes merged elsewhere", facts.mergedElsewhere, cadence, [
      weights.merged,
      mergedMedian,
    ]),
    collaboration("shared commits", facts.coAuthored, cadence, [
      weights.coAuthored,
      coAuthoredMedian,
    ]),
    quality(counted.commits.quality, cadence, model),
  ]);
}

function volume(
  { current, bestYear, scoreUses }: Cadence,
  { facts }: FactsAsOf,
  { activity }: Model,
): ComponentPart {
  const { windowMonths, lookBackMonths, bestWindowFactor: factor, volumeFull, weights } = activity;
  const perMonth = (window: ActivityWindow) => window.commits / windowMonths;
  const describeCommits = ({ commits, ...span }: ActivityWindow) =>
    `${formatCounted(Math.round(commits), "commit")}, ${formatSpan(span)}`;
  const isCurrent = scoreUses === "current";
  const counted = isCurrent ? perMonth(current) : factor * perMonth(bestYear);
  return {
    term: "volume",
    value: scaleLogarithmically(counted, volumeFull),
    weight: weights.volume,
    evidence: [
      `Current activity: ${describeCommits(current)}`,
      `Best year of the ${lookBackMonths} months to ${formatShortMonth(current.to)}: ${describeCommits(bestYear)}`,
      isCurrent
        ? `Current activity counts: it is at least ${formatShare(factor)} of the best year`
        : `${formatShare(factor)} of the best year counts: that is more than current activity`,
      ...(facts.commits?.reviews === undefined
        ? ["Whether they review is not known: the weight of reviews goes to what is known"]
        : []),
    ],
  };
}

function activeMonths({ steadiest, steadiness }: Cadence, model: Model): ComponentPart {
  const { windowMonths, lookBackMonths, weights } = model.activity;
  return {
    term: "active months",
    value: 100 * steadiness,
    weight: weights.activeMonths,
    evidence: [
      `${steadiest.activeMonths} of ${windowMonths} months with commits in ${formatSpan(steadiest)}, ` +
        `the most active year of the last ${lookBackMonths} full months`,
    ],
  };
}

function collaboration(
  term: string,
  count: number | undefined,
  { steadiness }: Cadence,
  [weight, median]: readonly [weight: number, median: number],
): ComponentPart {
  return {
    term,
    value: count === undefined ? undefined : steadiness * interpolateUnitCurve(count, median),
    weight,
    evidence: [`${formatCount(count ?? 0)} ${term}`, bySteadiness(steadiness)],
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
    evidence: [
      `${formatCount(good)} of ${formatCount(n)} messages are good`,
      bySteadiness(steadiness),
    ],
  };
}

function bySteadiness(steadiness: number): string {
  return `counted by how steady the most active year was: times ${roundHalfUp(steadiness, 2)}`;
}

/** A period of consecutive full months. The model states its length. */
export interface ActivityWindow {
  /** The first month, such as `2026-05`. `to` is the last month. */
  readonly from: string;
  readonly to: string;
  readonly commits: number;
  readonly activeMonths: number;
}

/** How often a developer commits. Only full months are counted. */
export interface Cadence {
  /** Commits a month over `perMonthOf`, with two decimals. */
  readonly perMonth: number;
  /** The current window, or the whole history if it is shorter. */
  readonly perMonthOf: Pick<ActivityWindow, "from" | "to">;
  readonly current: ActivityWindow;
  /** The newest window with the most commits. `steadiest` is the newest window with the most active months. */
  readonly bestYear: ActivityWindow;
  readonly steadiest: ActivityWindow;
  readonly scoreUses: "current" | "bestYear";
  /** The share of active months in the best window, from 0 to 1. With few commits, the share may be lowered toward the mean. */
  readonly steadiness: number;
  /** The commits of each month in the look-back period, newest month first. */
  readonly volume: readonly number[];
}

/** @returns undefined if no source looked at commits. */
export function measureCadence(
  counted: FactsAsOf,
  { activity, population }: Model,
): Cadence | undefined {
  if (!counted.commits) return undefined;
  const to = { mean: population.activeMonths, weight: population.weight };
  const { windowMonths, lookBackMonths, youngMonthsMin, bestWindowFactor } = activity;
  const monthAt = (at: number) => formatMonth(counted.untilMonth - 1 - at);
  const volume = new Array<number>(lookBackMonths).fill(0);
  for (const { age, amount } of counted.commits.volume) {
    // The current month belongs to no window, because it is not complete.
    if (age >= 1 && age <= lookBackMonths) volume[age - 1] = (volume[age - 1] ?? 0) + amount;
  }
  const windows: ActivityWindow[] = [];
  let steadiness = 0;
  for (let start = 0; start + windowMonths <= lookBackMonths; start++) {
    const end = start + windowMonths;
    let commits = 0;
    let active = 0;
    for (let at = start; at < end; at++) {
      const month = volume[at] ?? 0;
      commits += month;
      if (month > 0) active++;
    }
    windows.push({ from: monthAt(end - 1), to: monthAt(start), commits, activeMonths: active });
    const share = active / windowMonths;
    steadiness = Math.max(steadiness, Math.min(share, shrinkShare({ share, n: commits }, to)));
  }
  const first = findFirstDay(counted);
  const history = first === undefined ? 0 : counted.untilMonth - toMonthIndex(first);
  const divisor = Math.min(windowMonths, Math.max(youngMonthsMin, history));
  const [current] = windows as [ActivityWindow];
  const bestYear = selectMost(windows, ({ commits }) => commits);
  return {
    perMonth: roundHalfUp(current.commits / divisor, 2),
    perMonthOf: { from: monthAt(divisor - 1), to: current.to },
    current,
    bestYear,
    steadiest: selectMost(windows, ({ activeMonths }) => activeMonths),
    scoreUses: current.commits >= bestWindowFactor * bestYear.commits ? "current" : "bestYear",
    steadiness,
    volume,
  };
}

function selectMost(
  windows: readonly ActivityWindow[],
  amountOf: (window: ActivityWindow) => number,
): ActivityWindow {
  return windows.reduce((most, one) => (amountOf(one) > amountOf(most) ? one : most));
}
