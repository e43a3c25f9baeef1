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

/** Evidence by age, of pieces that are seen together. */
export interface Amounts {
  readonly byAge: Float64Array;
  /** No older age has an amount. */
  oldest: number;
}

/** @param activeMonths of the same person: no evidence is older. */
export function startAmounts({ length }: ActiveMonths): Amounts {
  return { byAge: new Float64Array(length), oldest: -1 };
}

/**
 * Raises the amounts by age, in place, to those of a piece of evidence: the largest counts, not the sum.
 *
 * @param counting the share of each age's commits that counts; beyond its end, all.
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

/** By age, 0 to 1. */
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

/** What is left of an amount, by the number of months faded. */
export type FadingWeights = ReturnType<typeof listFading>;

export function listFading({ recency: { floor, halfLifeMonths } }: Model): Float64Array {
  return Float64Array.from({ length: agesMax + 2 }, (_, faded) =>
    Math.max(floor, 2 ** (-faded / halfLifeMonths)),
  );
}
