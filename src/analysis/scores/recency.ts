/**
 * Computes how much old work still counts.
 *
 * A skill fades with a half-life while the person works on other things. Months in which the skill was used do not age it, and
 * neither do breaks of up to a year. With plain calendar age, nine months of parental leave would cost every skill a quarter (at
 * a half-life of 24 months). With age counted from the last commit, a new commit could lower a skill.
 */
import type { DatedEvidence, EvidenceAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";

/** Fifty years in months. All older months count as this old. */
const agesMax = 600;

/** By age in months: 1 for each month with any evidence. */
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

/** Amounts of evidence by age in months, over several pieces that are counted together. */
export interface Amounts {
  readonly byAge: Float64Array;
  /** The highest age that has an amount. */
  oldest: number;
}

/** Creates empty amounts for a person. @param activeMonths of the same person: no evidence is older than these months. */
export function startAmounts({ length }: ActiveMonths): Amounts {
  return { byAge: new Float64Array(length), oldest: -1 };
}

/**
 * Raises each month's amount to that of a piece of evidence, in place. The largest amount counts, not the sum.
 * @param counting the share of commits that counts, by age in months; older months than it has count in full.
 */
export function raiseToMaximum(
  amounts: Amounts,
  months: readonly DatedEvidence[],
  { factor, counting }: { readonly factor: number; readonly counting?: CountingShares | undefined },
): void {
  const { byAge } = amounts;
  for (const { age, amount } of months) {
    const raised = amount * (counting?.[age] ?? 1) * factor;
    const at = Math.min(agesMax, age);
    if (raised <= (byAge[at] ?? 0)) continue;
    byAge[at] = raised;
    if (at > amounts.oldest) amounts.oldest = at;
  }
}

/** The share of each month's commits that counts, from 0 to 1, by age. */
export type CountingShares = readonly (number | undefined)[];

/** Sums amounts by age, each weighted by how far it has faded. */
export function sumWeightedByRecency(
  { byAge, oldest }: Amounts,
  {
    activeMonths,
    fading,
    model,
  }: { activeMonths: ActiveMonths; fading: FadingWeights; model: Model },
): number {
  const { restMonthsMax } = model.recency;
  let sum = 0;
  let faded = 0;
  let rest = 0;
  let weight = 1;
  for (let age = 0; age <= oldest; age++) {
    const amount = byAge[age] ?? 0;
    if (amount > 0) {
      sum += amount * weight;
      rest = 0;
      continue;
    }
    rest = activeMonths[age] ? 0 : rest + 1;
    if (rest > 0 && rest <= restMonthsMax) continue;
    faded++;
    weight = fading[faded] ?? 0;
  }
  return sum;
}

/** Weights of fading: the share of an amount that remains after a number of months of fading. */
export type FadingWeights = ReturnType<typeof listFading>;

export function listFading({ recency: { floor, halfLifeMonths } }: Model): Float64Array {
  return Float64Array.from({ length: agesMax + 2 }, (_, faded) =>
    Math.max(floor, 2 ** (-faded / halfLifeMonths)),
  );
}
