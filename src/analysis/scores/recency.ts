/**
 * How much old work still counts.
 *
 * A skill fades with a half-life while its owner works on other things. Months in which it was used
 * do not age it, and neither does a break of up to a year in a row. With plain calendar age, a
 * parental leave would cost every skill a quarter (9 months of a 24-month half-life), which principle 5
 * of the analysis forbids; with age counted from the last commit, a new commit could lower a skill.
 */
import type { DatedEvidence, EvidenceAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";

/** Fifty years: older months all count as this old. */
const agesMax = 600;

/** 1 for each month, by age, that has any evidence. */
export type ActiveMonths = Uint8Array;

export function collectActiveMonths(evidence: readonly EvidenceAsOf[]): ActiveMonths {
  let oldest = 0;
  for (const { months } of evidence) {
    for (const { age } of months) if (age > oldest) oldest = age;
  }
  const activeMonths = new Uint8Array(Math.min(agesMax, oldest) + 1);
  for (const { months } of evidence) {
    for (const { age } of months) activeMonths[Math.min(agesMax, age)] = 1;
  }
  return activeMonths;
}

/** Raises the amounts by age, in place, to those of a piece of evidence: the largest counts, not the sum. */
export function raiseToMaximum(
  amounts: Float64Array,
  months: readonly DatedEvidence[],
  factor: number,
): void {
  for (const { age, amount } of months) {
    const at = Math.min(agesMax, age);
    if (amount * factor > (amounts[at] ?? 0)) amounts[at] = amount * factor;
  }
}

/** Sums amounts by age, each weighted by how far it has faded. */
export function sumWeightedByRecency(
  amounts: Float64Array,
  activeMonths: ActiveMonths,
  { recency }: Model,
): number {
  let sum = 0;
  let faded = 0;
  let rest = 0;
  let weight = 1;
  for (let age = 0; age < amounts.length; age++) {
    const amount = amounts[age] ?? 0;
    if (amount > 0) {
      sum += amount * weight;
      rest = 0;
      continue;
    }
    rest = activeMonths[age] ? 0 : rest + 1;
    if (rest > 0 && rest <= recency.restMonthsMax) continue;
    faded++;
    weight = Math.max(recency.floor, 2 ** (-faded / recency.halfLifeMonths));
  }
  return sum;
}
