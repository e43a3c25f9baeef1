/** The curves that turn amounts into scores. No curve falls, so more of the same evidence never lowers a score. */

/** Maps 0 to 0 and the median to 50, and approaches 100: 100 (1 - 2^(-x/m)). */
export function interpolateUnitCurve(amount: number, median: number): number {
  return amount <= 0 ? 0 : 100 * (1 - 2 ** (-amount / median));
}

/**
 * Maps 0 to 0, the median to 50, three times the median to 75, and nine times the median to 90: 100 x / (x + m). The code uses
 * 100 / (1 + m / x), because rounding makes the other form fall slightly for some larger amounts.
 */
export function interpolateOpenCurve(amount: number, median: number): number {
  return amount <= 0 ? 0 : 100 / (1 + median / amount);
}

/** Maps a count to 0 to 100 on a logarithmic scale. `full` maps to 100. */
export function scaleLogarithmically(amount: number, full: number): number {
  return Math.min(100, (100 * Math.log1p(Math.max(0, amount))) / Math.log1p(full));
}

/** Shrinks a share toward the population's mean. The fewer observations there are, the nearer the result is to the mean. */
export function shrinkShare(
  { share, n }: { readonly share: number; readonly n: number },
  { mean, weight }: { readonly mean: number; readonly weight: number },
): number {
  return (share * n + mean * weight) / (n + weight);
}

/**
 * Computes the lower end of the 95 % Wilson interval of a share, from 0 to 1. Without observations, the result is 0.
 * Source: E. B. Wilson, Probable Inference, JASA 22 (1927).
 */
export function computeWilsonLowerBound(good: number, n: number): number {
  if (n <= 0) return 0;
  const z = 1.959964;
  const share = Math.min(1, good / n);
  const centre = share + (z * z) / (2 * n);
  const spread = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return Math.max(0, (centre - spread) / (1 + (z * z) / n));
}

/** Rounds half up to the given number of decimals. The result is never -0. */
export function roundHalfUp(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale + 1e-9) / scale + 0;
}
