import type { FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { roundHalfUp } from "./curve.ts";

/** Computes from 0 to 1 how reliable the figures are: n / (n + 20) for n commits, times the share of known data. */
export function computeConfidence(counted: FactsAsOf, { confidence }: Model): number {
  const n = counted.commits?.total ?? 0;
  const { profile } = counted.facts;
  const { coverage } = confidence;
  let covered = 0;
  if (counted.commits) covered += coverage.commits;
  if (counted.evidence.length > 0) covered += coverage.evidence;
  if (profile.createdAt !== undefined) covered += coverage.account;
  if (profile.bio !== undefined || profile.location !== undefined) covered += coverage.profile;
  const hasStars = counted.repositories.some(({ stars }) => stars !== undefined);
  if (profile.followers !== undefined || hasStars) covered += coverage.standing;
  return roundHalfUp((n / (n + confidence.halfCommits)) * covered, 2);
}
