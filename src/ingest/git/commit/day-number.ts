/** Converts commit dates to days, and decides whether dates are believable. */
import type { LoggedCommit } from "./logged-commit.ts";

const secondsPerDay = 86_400;

/** @returns UTC days since 1970; undefined when the author date is unreadable or not believable. */
export function toDayNumber(seconds: number): number | undefined {
  const isPlausible = seconds >= earliestSeconds && seconds <= latestSeconds;
  return isPlausible ? Math.floor(seconds / secondsPerDay) : undefined;
}

/** The earliest believable date. Broken conversions of histories write dates near 1970. */
const earliestSeconds = 366 * secondsPerDay;
const latestSeconds = 253_402_300_799;

/**
 * Whether the author date is more than a day after the committer date, or more than ten years before. Real commits seldom have
 * such dates.
 */
export function isDisordered(commit: Pick<LoggedCommit, "seconds" | "committedSeconds">): boolean {
  const waited = commit.committedSeconds - commit.seconds;
  return waited < -secondsPerDay || waited > waitSecondsMax;
}

const waitSecondsMax = 3653 * secondsPerDay;

/** @param day YYYY-MM-DD. @returns UTC days since 1970. */
export function parseDayNumber(day: string): number {
  return Math.floor(Date.parse(`${day}T00:00:00Z`) / 1000 / secondsPerDay);
}

export function formatDayNumber(day: number): string {
  return new Date(day * secondsPerDay * 1000).toISOString().slice(0, 10);
}

export function formatMonthOfDay(day: number): string {
  return formatDayNumber(day).slice(0, 7);
}
