import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { selectLargestTerms, sumComponent } from "../../../src/analysis/scores/component.ts";

const part = (term: string, value: number | undefined, weight: number) => {
  return { term, value, weight, evidence: [] };
};

describe("a component", () => {
  test("is the weighted mean of its parts, rounded, and shares out the weight of what nobody can know, in proportion", () => {
    expect(sumComponent([part("a", 99, 50), part("b", 0, 50)]).score).toBe(50);
    const parts = [part("a", 100, 30), part("b", 0, 10), part("c", undefined, 60)];
    const { score, listTerms } = sumComponent(parts);
    expect(score).toBe(75);
    expect(listTerms().map(({ term, weight, cap }) => [term, weight, cap])).toEqual([
      ["a", 0.75, 75],
      ["b", 0.25, 25],
    ]);
  });

  test("of nothing known is 0", () => {
    for (const parts of [[part("a", undefined, 1)], []]) {
      const { score, listTerms } = sumComponent(parts);
      expect([score, listTerms()]).toEqual([0, []]);
    }
  });

  test("equals the points of its terms, within rounding, and shows the five largest", () => {
    const parts = fc.array(
      fc.record({
        term: fc.string({ minLength: 1 }),
        value: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined }),
        weight: fc.double({ min: 0.1, max: 50, noNaN: true }),
        evidence: fc.constant([]),
      }),
      { maxLength: 9 },
    );
    fc.assert(
      fc.property(parts, (each) => {
        const { score, listTerms } = sumComponent(each);
        const terms = listTerms();
        const points = terms.reduce((sum, term) => sum + term.points, 0);
        expect(Math.abs(points - score)).toBeLessThanOrEqual(0.5 + 0.005 * terms.length);
        const shown = selectLargestTerms(terms);
        expect(shown.length).toBe(Math.min(5, terms.length));
        const least = shown.at(-1)?.points ?? 0;
        for (const term of terms.slice(5)) expect(term.points).toBeLessThanOrEqual(least);
        for (const term of terms) expect(term.points).toBeLessThanOrEqual(term.cap + 0.01);
      }),
    );
  });
});
