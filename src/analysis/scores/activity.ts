import { type Component, component, type Part } from "../component.ts";
import type { Counted } from "../counted.ts";
import { drawn, rounded, unitCurve } from "../curve.ts";
import type { Model } from "../model.ts";
import type { Cadence } from "./cadence.ts";

/** 35 % of the score: how much, how steadily, how much with others, how well described. */
export function activityScore(
  counted: Counted,
  cadence: Cadence | undefined,
  model: Model,
): Component {
  const facts = counted.facts.commits;
  // Without a commit there is nothing to be active in: shares of nothing must not lift the score.
  if (!facts || !cadence || !counted.commits?.total) return { score: 0, terms: [] };
  const { weights } = model.activity;
  return component([
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

function volume({ lastYear, bestYear }: Cadence, { activity }: Model): Part {
  const { windowMonths, lookBackMonths, bestWindowFactor, volumeMedian, weights } = activity;
  return {
    term: "volume",
    value: unitCurve(Math.max(lastYear, bestWindowFactor * bestYear), volumeMedian),
    weight: weights.volume,
    evidence: [
      `${rounded(lastYear, 2)} commits per month over the last ${windowMonths} full months`,
      `${rounded(bestYear, 2)} per month over the best ${windowMonths} of the last ${lookBackMonths}`,
    ],
  };
}

function activeMonths(cadence: Cadence, { activity, population }: Model): Part {
  const { activeMonths: active, activeWindowCommits: n } = cadence;
  const share = active / activity.windowMonths;
  const to = { mean: population.activeMonths, weight: population.weight };
  return {
    term: "active months",
    value: active === 0 ? 0 : 100 * drawn({ share, n }, to),
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
): Part {
  return {
    term,
    value: count === undefined ? undefined : unitCurve(count, of.median),
    weight: of.weight,
    evidence: [`${count ?? 0} ${term}`],
  };
}

function quality(
  judged: { readonly n: number; readonly good: number },
  { activity, population }: Model,
): Part {
  const { n, good } = judged;
  const to = { mean: population.quality, weight: population.weight };
  return {
    term: "message quality",
    value: n === 0 ? undefined : 100 * drawn({ share: Math.min(1, good / n), n }, to),
    weight: activity.weights.quality,
    evidence: [`${good} of ${n} messages are good`],
  };
}
