import type { FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import type { Cadence } from "./cadence.ts";
import { type ComponentPart, type ScoreComponent, sumComponent } from "./component.ts";
import { interpolateUnitCurve, roundHalfUp, shrinkShare } from "./curve.ts";

/** 35 % of the score: how much, how steadily, how much with others, how well described. */
export function scoreActivity(
  counted: FactsAsOf,
  cadence: Cadence | undefined,
  model: Model,
): ScoreComponent {
  const facts = counted.facts.commits;
  // Without a commit there is nothing to be active in: shares of nothing must not lift the score.
  if (!facts || !cadence || !counted.commits?.total) return { score: 0, terms: [] };
  const { weights } = model.activity;
  return sumComponent([
    volume(cadence, model),
    activeMonths(cadence, model),
    together("reviews", facts.reviews, {
      weight: weights.reviews,
      median: model.activity.reviewsMedian,
    }),
    together("changes merged elsewhere", facts.mergedElsewhere, {
      weight: weights.merged,
      median: model.activity.mergedMedian,
    }),
    together("shared commits", facts.coAuthored, {
      weight: weights.coAuthored,
      median: model.activity.coAuthoredMedian,
    }),
    quality(counted.commits.quality, model),
  ]);
}

function volume({ lastYear, bestYear }: Cadence, { activity }: Model): ComponentPart {
  const { windowMonths, lookBackMonths, bestWindowFactor, volumeMedian, weights } = activity;
  return {
    term: "volume",
    value: interpolateUnitCurve(Math.max(lastYear, bestWindowFactor * bestYear), volumeMedian),
    weight: weights.volume,
    evidence: [
      `${roundHalfUp(lastYear, 2)} commits per month over the last ${windowMonths} full months`,
      `${roundHalfUp(bestYear, 2)} per month over the best ${windowMonths} of the last ${lookBackMonths}`,
    ],
  };
}

function activeMonths(cadence: Cadence, { activity, population }: Model): ComponentPart {
  const { activeMonths: active, activeWindowCommits: n } = cadence;
  const share = active / activity.windowMonths;
  const to = { mean: population.activeMonths, weight: population.weight };
  return {
    term: "active months",
    value: active === 0 ? 0 : 100 * shrinkShare({ share, n }, to),
    weight: activity.weights.activeMonths,
    evidence: [
      `${active} of ${activity.windowMonths} months with commits in the most active window`,
    ],
  };
}

function together(
  term: string,
  count: number | undefined,
  of: { readonly weight: number; readonly median: number },
): ComponentPart {
  return {
    term,
    value: count === undefined ? undefined : interpolateUnitCurve(count, of.median),
    weight: of.weight,
    evidence: [`${count ?? 0} ${term}`],
  };
}

function quality(
  judged: { readonly n: number; readonly good: number },
  { activity, population }: Model,
): ComponentPart {
  const { n, good } = judged;
  const to = { mean: population.quality, weight: population.weight };
  return {
    term: "message quality",
    value: n === 0 ? undefined : 100 * shrinkShare({ share: Math.min(1, good / n), n }, to),
    weight: activity.weights.quality,
    evidence: [`${good} of ${n} messages are good`],
  };
}
