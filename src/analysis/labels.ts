/**
 * Chooses labels by the cut-points in the model file. A label depends on the rounded figure in the answer, so that callers can
 * check the label.
 */
import type { frequencyLabels, qualityLabels, tierLabels } from "../contract/people/developer.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { levels } from "../contract/people/profile-analysis.ts";
import type { Model } from "./model.ts";
import { interpolateUnitCurve, roundHalfUp } from "./scores/curve.ts";
import type { Experience } from "./scores/experience.ts";

/** @param perMonth commits a month. Undefined means that no source looked at commits. */
export function selectFrequencyLabel(
  perMonth: number | undefined,
  isSilent: boolean,
  { labels }: Model,
): (typeof frequencyLabels)[number] {
  if (perMonth === undefined) return "Unknown";
  if (isSilent) return "Inactive";
  return selectReached(perMonth, labels.frequency) ?? "Occasional";
}

export function selectQualityLabel(
  judged: { readonly n: number; readonly good: number },
  { labels }: Model,
): (typeof qualityLabels)[number] {
  if (judged.n < labels.qualityMessagesMin) return "Insufficient Data";
  return selectReached(judged.good / judged.n, labels.quality) ?? "Basic";
}

/** Selects a repository's tier by its stars. If the stars are unknown, the number of human authors decides. */
export function selectTierLabel(
  repository: Pick<Facts["repositories"][number], "stars" | "authors">,
  { labels }: Model,
): (typeof tierLabels)[number] {
  const byStars = repository.stars !== undefined;
  const size = repository.stars ?? repository.authors ?? 0;
  return selectReached(size, byStars ? labels.tierStars : labels.tierAuthors) ?? "Emerging";
}

/**
 * Selects a level by the score of all skills and by the number of commits. Few points may only mean that little work is known, so
 * a beginner must also have a young forge account.
 */
export function selectLevel(
  of: {
    readonly techStack: number;
    readonly commits: number;
    readonly confidence: number;
    readonly experience: Pick<Experience, "source" | "tenths">;
  },
  { labels }: Model,
): (typeof levels)[number] {
  const { level, levelTechStackShare: share, levelCommitsMedian, levelConfidenceMin } = labels;
  if (of.confidence < levelConfidenceMin) return "Little Evidence";
  const work = interpolateUnitCurve(of.commits, levelCommitsMedian);
  const points = roundHalfUp(share * of.techStack + (1 - share) * work, 1);
  const reached = selectReached(points, level);
  if (reached) return reached;
  const { source, tenths } = of.experience;
  const isNew = source === "forge" && tenths <= 10 * labels.beginnerYearsMax;
  return isNew ? "Beginner" : "Little Evidence";
}

/** Selects the label with the highest cut-point that the figure reaches. */
function selectReached<Label extends string>(
  figure: number,
  cutPoints: Readonly<Record<Label, number>>,
): Label | undefined {
  const reached = Object.entries<number>(cutPoints).filter(([, from]) => figure >= from);
  return reached.sort(([, a], [, b]) => b - a)[0]?.[0] as Label | undefined;
}
