/**
 * The curves that turn amounts into scores. All of them are concave or linear and never fall: more of the
 * same evidence never lowers a score.
 */

/** 0 for nothing, 50 at the reference median, towards 100 without reaching it: 100 (1 - 2^(-x/m)). */
export function interpolateUnitCurve(amount: number, median: number): number {
  return amount <= 0 ? 0 : 100 * (1 - 2 ** (-amount / median));
}

/**
 * 0 for nothing, 50 at the reference median, 75 at three times it, 90 at nine times: 100 x / (x + m). Slower than the unit curve, so
 * that hundreds of commits and thousands are told apart. Written as 100 / (1 + m / x), whose every step rounds in one direction:
 * the other form falls by the last digit for some larger amounts.
 */
export function interpolateOpenCurve(amount: number, median: number): number {
  return amount <= 0 ? 0 : 100 / (1 + median / amount);
}

/** Logarithmic share of a full amount, 0 to 100, for counts that span powers of ten. */
export function scaleLogarithmically(amount: number, full: number): number {
  return Math.min(100, (100 * Math.log1p(Math.max(0, amount))) / Math.log1p(full));
}

/** Shrinks a share of n observations to the population's mean, as if `weight` more observations had that mean. */
export function shrinkShare(
  { share, n }: { readonly share: number; readonly n: number },
  { mean, weight }: { readonly mean: number; readonly weight: number },
): number {
  return (share * n + mean * weight) / (n + weight);
}

/**
 * Lower end of the 95 % Wilson interval of a share, 0 to 1; 0 without observations.
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

/** Rounds half up to the given number of decimals; never returns -0, which `Object.is` distinguishes from 0. */
export function roundHalfUp(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale + 1e-9) / scale + 0;
}
