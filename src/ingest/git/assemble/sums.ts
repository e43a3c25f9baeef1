/** Adds up amounts by key, with a result that does not depend on the order of adding. */
import type { ByMonth } from "../../../contract/people/credit-facts.ts";

export function addTo(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

/** Sorts by key. Rounds the sums, because otherwise a sum of thirds would depend on their order. */
export function sortByKey(sums: ReadonlyMap<string, number>): ByMonth {
  return Object.fromEntries(
    [...sums]
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([key, amount]) => [key, Math.round(amount * 1e6) / 1e6]),
  );
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
