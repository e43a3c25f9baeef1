import { limits } from "../contract/limits.ts";

/**
 * Splits a minimum into the list of whole years that decides, and the tenths left to compare. Decision 14 promises
 * that the shown years (tenths divided by ten) are at least the minimum, so those are compared.
 *
 * @package
 */
export function splitExperience(years: number): { wholeYears: number; tenths: number | undefined } {
  const wholeYears = Math.min(Math.floor(years), limits.experienceYearsMax);
  if (years === wholeYears) return { wholeYears, tenths: undefined };
  const below = Math.floor(years * 10);
  return { wholeYears, tenths: below / 10 >= years ? below : below + 1 };
}
