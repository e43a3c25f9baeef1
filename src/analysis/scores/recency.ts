/**
 * Computes how much old work still counts. A skill fades with a half-life while the person works on other things. It does not
 * fade in months in which the skill was used, or in breaks of up to a year.
 */
import type { DatedEvidence, EvidenceAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";

/** Fifty years in months. All older months count as this old. */
const agesMax = 600;

/** Has 1 for each month with evidence, and otherwise 0. The index is the age in months. */
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

/** Amounts of evidence by age in months. */
export interface Amounts {
  readonly byAge: Float64Array;
  /** The highest age that has an amount, or -1 if there is none. */
  oldest: number;
}

/** Creates empty amounts. @param activeMonths the active months of the same person. */
export function startAmounts({ length }: ActiveMonths): Amounts {
  return { byAge: new Float64Array(length), oldest: -1 };
}

/**
 * Raises each month's amount to the amount of a piece of evidence, in place. A smaller amount changes nothing.
 * @param counting the share of commits that counts, by age in months. An age without an entry counts in full.
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

/** The share of a month's commits that counts, from 0 to 1, by age in months. Undefined means that all commits count. */
export type CountingShares = readonly (number | undefined)[];

/** Sums amounts. An amount counts less the more it has faded. */
export function sumWeightedByRecency(
  { byAge, oldest }: Amounts,
  tools: { activeMonths: ActiveMonths; fading: FadingWeights; model: Model },
): number {
  const { activeMonths, fading } = tools;
  const { restMonthsMax } = tools.model.recency;
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

/** The share of an amount that remains. The index is the number of months of fading. */
export type FadingWeights = ReturnType<typeof listFading>;

export function listFading({ recency: { floor, halfLifeMonths } }: Model): Float64Array {
  return Float64Array.from({ length: agesMax + 2 }, (_, faded) =>
    Math.max(floor, 2 ** (-faded / halfLifeMonths)),
  );
}
