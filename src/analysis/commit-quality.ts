import type { ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import type { FactsAsOf } from "./facts-as-of.ts";
import { selectQualityLabel } from "./labels.ts";
import type { Model } from "./model.ts";
import { computeWilsonLowerBound, roundHalfUp } from "./scores/curve.ts";

/** How well a developer's commit messages are written, with n and a lower bound beside the share. */
export function describeCommitQuality(
  counted: FactsAsOf,
  model: Model,
): ProfileAnalysis["commitQuality"] {
  const commits = counted.commits;
  const judged = commits?.quality ?? {
    n: 0,
    good: 0,
    withBody: 0,
    withReference: 0,
    withReason: 0,
  };
  const percentage = computeSemanticPercentage(counted, model);
  return {
    label: selectQualityLabel(judged, model),
    n: judged.n,
    good: judged.good,
    ...(judged.n > 0 && {
      share: roundHalfUp(Math.min(1, judged.good / judged.n), 4),
      lowerBound: roundHalfUp(computeWilsonLowerBound(judged.good, judged.n), 4),
    }),
    withBody: judged.withBody,
    withReference: judged.withReference,
    withReason: judged.withReason,
    semantic: {
      eligible: commits?.semantic.eligible ?? 0,
      matches: commits?.semantic.matches ?? 0,
      ...(percentage !== undefined && { percentage }),
    },
  };
}

/** Conventional subjects in per cent of the eligible, one decimal; absent below the minimum of them. */
export function computeSemanticPercentage(
  counted: FactsAsOf,
  { labels }: Model,
): number | undefined {
  const semantic = counted.commits?.semantic;
  if (!semantic || semantic.eligible < labels.semanticEligibleMin) return undefined;
  return roundHalfUp((100 * Math.min(semantic.matches, semantic.eligible)) / semantic.eligible, 1);
}
