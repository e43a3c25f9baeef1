/** How a search weighs the components of a score: decisions 16 and 47. */
import { askedWeights, overallWeights, type ScoreWeights } from "../contract/people/developer.ts";

/**
 * Returns a developer's base score: 3 for each point of the profile and 7 for each point of activity. Every query weighs the two
 * in this proportion, so one order of developers serves all queries.
 * @package
 */
export function computeBase(profile: number, activity: number): number {
  return baseShares.profile * profile + baseShares.activity * activity;
}

const baseShares = { profile: 3, activity: 7 };

/** @package The highest possible base score. */
export const baseMax = 1000;

/** @package The formula by which a search weighs the components of a score. */
export interface ScoreFormula {
  readonly weights: ScoreWeights;
  /** The tenths of a point that each point of the tech stack adds to the score. Always a whole number. */
  readonly tenthsPerTechPoint: number;
  /** Returns the score in tenths without a tech stack. A higher base score never gives a lower result. */
  toTenths(base: number): number;
}

/** @package The formula for queries with filters only. */
export const plainWeighing = createWeighing(overallWeights);
/** @package The formula for queries with a role or skills (decision 47). */
export const askedWeighing = createWeighing(askedWeights);

/** @package */
export function selectWeighing({
  skills,
  role,
}: {
  readonly skills: readonly unknown[];
  readonly role: unknown;
}): ScoreFormula {
  return skills.length > 0 || role !== undefined ? askedWeighing : plainWeighing;
}

/** Creates a formula. Adding 5 before the division by 10 rounds half up. */
function createWeighing(weights: ScoreWeights): ScoreFormula {
  const hundredthsPerBase = weights.profile / baseShares.profile;
  return {
    weights,
    tenthsPerTechPoint: weights.techStack / 10,
    toTenths: (base) => ((base * hundredthsPerBase + 5) / 10) | 0,
  };
}
