/**
 * The score of one query, from its three whole-number components: 15 % profile, 50 % tech stack,
 * 35 % activity, rounded half up to one decimal.
 *
 * The sum is taken in whole hundredths, so that analysis, search and a caller with a pencil
 * all get the same last digit. Source: decision 16 and docs/scoring.md.
 */
export function computeOverallScore(profile: number, techStack: number, activity: number): number {
  const hundredths = 15 * profile + 50 * techStack + 35 * activity;
  return Math.round(hundredths / 10) / 10;
}
