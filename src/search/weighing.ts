/** How a search weighs the components of a score: decisions 16 and 47. */
import { askedWeights, overallWeights, type ScoreWeights } from "../contract/people/developer.ts";

/**
 * What profile and activity give a developer, whatever is asked: 3 and 7 for each point, the proportion that they have in
 * every score. So one order of developers serves all queries.
 *
 * @package
 */
export function computeBase(profile: number, activity: number): number {
  return baseShares.profile * profile + baseShares.activity * activity;
}

const baseShares = { profile: 3, activity: 7 };

/** @package Nobody has a greater base. */
export const baseMax = 1000;

/** How a query weighs what developers have. @package */
export interface ScoreFormula {
  readonly weights: ScoreWeights;
  /** Every point of the tech stack adds as much to the score in tenths; both are whole numbers. */
  readonly tenthsPerTechPoint: number;
  /** The score in tenths without a tech stack. A greater base never has a smaller one. */
  toTenths(base: number): number;
}

/** @package Where nothing is asked for but filters. */
export const plainWeighing = createWeighing(overallWeights);
/** @package For a role or skills (decision 47). */
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

/** `| 0` rounds half up, as the score does, since nothing here is negative. */
function createWeighing(weights: ScoreWeights): ScoreFormula {
  const hundredthsPerBase = weights.profile / baseShares.profile;
  return {
    weights,
    tenthsPerTechPoint: weights.techStack / 10,
    toTenths: (base) => ((base * hundredthsPerBase + 5) / 10) | 0,
  };
}
