import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  computeWilsonLowerBound,
  interpolateOpenCurve,
  interpolateUnitCurve,
  roundHalfUp,
  scaleLogarithmically,
  shrinkShare,
} from "../../../src/analysis/scores/curve.ts";
import { computeScore } from "../../../src/contract/people/developer.ts";

const curves = [
  [interpolateOpenCurve, [0, 1, 3, 9], [0, 50, 75, 90]],
  [interpolateUnitCurve, [0, 1, 2, 3], [0, 50, 75, 87.5]],
] as const;

test.each(curves)(
  "%p rises within 0 and 100, and less for each further piece",
  (curve, medians, values) => {
    expect(medians.map((x) => curve(x * 1.33, 1.33))).toEqual([...values]);
    const amount = fc.double({ min: 0, max: 1e4, noNaN: true });
    fc.assert(
      fc.property(amount, amount, fc.double({ min: 0.01, max: 100, noNaN: true }), (x, d, m) => {
        const [a, b, c] = [curve(x, m), curve(x + d, m), curve(x + 2 * d, m)];
        expect(a).toBeGreaterThanOrEqual(0);
        expect(c).toBeLessThanOrEqual(100);
        expect(b).toBeGreaterThanOrEqual(a);
        expect(b - a).toBeGreaterThanOrEqual(c - b - 1e-9);
      }),
    );
  },
);

test("the open curve never falls, not by the last digit", () => {
  const [less, more] = [255, 256].map((commits) => interpolateOpenCurve(commits, 1e-12));
  expect(more).toBeGreaterThanOrEqual(less ?? 100);
});

test("a logarithmic share is full at the full amount and stays there", () => {
  expect(scaleLogarithmically(0, 10_000)).toBe(0);
  expect(scaleLogarithmically(10_000, 10_000)).toBe(100);
  expect(scaleLogarithmically(1e9, 10_000)).toBe(100);
  expect(roundHalfUp(scaleLogarithmically(99, 9_999), 6)).toBe(50);
});

test("a share is drawn half-way to the mean where n is the mean's weight", () => {
  expect(shrinkShare({ share: 1, n: 20 }, { mean: 0.5, weight: 20 })).toBe(0.75);
  expect(shrinkShare({ share: 1, n: 0 }, { mean: 0.5, weight: 20 })).toBe(0.5);
});

test("the Wilson bound agrees with worked examples", () => {
  // 8 of 10 and 15 of 20 by the textbook formula with z = 1.959964.
  expect(roundHalfUp(computeWilsonLowerBound(8, 10), 4)).toBe(0.4902);
  expect(roundHalfUp(computeWilsonLowerBound(15, 20), 4)).toBe(0.5313);
  expect(computeWilsonLowerBound(0, 10)).toBe(0);
  expect(computeWilsonLowerBound(0, 0)).toBe(0);
});

test("rounding takes halves up and never shows a negative zero", () => {
  expect(roundHalfUp(0.125, 2)).toBe(0.13);
  expect(roundHalfUp(1.005, 2)).toBe(1.01);
  expect(Object.is(roundHalfUp(-0.0001, 2), 0)).toBe(true);
});

test("the overall score is the weighted sum to one decimal, halves up, of every triple", () => {
  // 0.15 + 0.5 + 0 = 0.65, which a sum of binary fractions would round to 0.6.
  expect([computeScore(67, 55, 88), computeScore(1, 1, 0)]).toEqual([68.4, 0.7]);
  for (let p = 0; p <= 100; p += 1) {
    for (let t = 0; t <= 100; t += 3) {
      for (let a = 0; a <= 100; a += 7) {
        const hundredths = BigInt(15 * p + 50 * t + 35 * a);
        const exact = Number((hundredths + 5n) / 10n) / 10;
        if (computeScore(p, t, a) !== exact) throw new Error(`${p} ${t} ${a}`);
      }
    }
  }
});
