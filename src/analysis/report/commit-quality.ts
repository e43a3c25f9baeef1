import type { ProfileAnalysis } from "../../contract/people/profile-analysis.ts";
import type { Counted } from "../counted.ts";
import { rounded, wilsonLowerBound } from "../curve.ts";
import { qualityLabel } from "../labels.ts";
import type { Model } from "../model.ts";

/** How well a developer's commit messages are written, with n and a lower bound beside the share. */
export function commitQuality(counted: Counted, model: Model): ProfileAnalysis["commitQuality"] {
  const commits = counted.commits;
  const judged = commits?.quality ?? {
    n: 0,
    good: 0,
    withBody: 0,
    withReference: 0,
    withReason: 0,
  };
  const percentage = semanticPercentage(counted, model);
  return {
    label: qualityLabel(judged, model),
    n: judged.n,
    good: judged.good,
    ...(judged.n > 0 && {
      share: rounded(Math.min(1, judged.good / judged.n), 4),
      lowerBound: rounded(wilsonLowerBound(judged.good, judged.n), 4),
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
export function semanticPercentage(counted: Counted, { labels }: Model): number | undefined {
  const semantic = counted.commits?.semantic;
  if (!semantic || semantic.eligible < labels.semanticEligibleMin) return undefined;
  return rounded((100 * Math.min(semantic.matches, semantic.eligible)) / semantic.eligible, 1);
}
