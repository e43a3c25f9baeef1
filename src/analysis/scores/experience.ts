import { countTenthsOfYears, formatMonth, toDay } from "../calendar.ts";
import type { FactsAsOf } from "../facts-as-of.ts";

export type Experience = ReturnType<typeof measureExperience>;

/** Git was first released in 2005. An older author date comes from a conversion or a wrong clock. */
const gitBirth = "2005-01-01";
/** The oldest forge, SourceForge, opened in 1999. No forge account can be older. */
const forgeBirth = "1999-01-01";

/**
 * Measures experience since the creation of the forge account. Without an account, the first commit counts.
 * @returns the experience in tenths of a year, and its source.
 */
export function measureExperience(counted: FactsAsOf) {
  const { createdAt } = counted.facts.profile;
  if (createdAt !== undefined && toDay(createdAt) <= counted.asOf) {
    return since(later(toDay(createdAt), forgeBirth), "forge", counted.asOf);
  }
  const first = findFirstDay(counted);
  if (first === undefined) return { tenths: 0, source: "none" as const };
  return since(later(first, gitBirth), "first commit", counted.asOf);
}

/** Returns the first commit's day, or the first day of the oldest month with commits if that day is earlier. */
export function findFirstDay({ commits, untilMonth }: FactsAsOf): string | undefined {
  if (!commits) return undefined;
  if (commits.oldest === undefined) return commits.first;
  const month = formatMonth(untilMonth - commits.oldest);
  return commits.first !== undefined && commits.first.slice(0, 7) <= month
    ? commits.first
    : `${month}-01`;
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function since(day: string, source: "forge" | "first commit", asOf: string) {
  return { tenths: countTenthsOfYears(day, asOf), source };
}
