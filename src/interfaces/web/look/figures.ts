/** Formats figures about people, so that a figure has the same words on every page. */
import { isStale } from "../../../contract/people/history-end.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { formatCount, formatDate, formatEnded, formatYears } from "./format.ts";

/** Lists the skills on which the person worked most, as the summary does, then the others, strongest first. */
export function listSkillsByWork({
  repositories: { skills },
  summary: { strengths },
}: Pick<ProfileAnalysis, "repositories" | "summary">) {
  const rankOf = (skill: string) => {
    const at = strengths.findIndex((text) => text.startsWith(`${skill}: `));
    return at < 0 ? strengths.length : at;
  };
  return skills.toSorted((a, b) => rankOf(a.skill) - rankOf(b.skill));
}

/**
 * Formats `1,204 commits`, `1 commit` or `about 21 commits`. A number can be a fraction, because several people can share a
 * commit.
 */
export function formatCommits(amount: number): string {
  const isOne = amount > 0 && Math.round(amount) <= 1;
  return `${formatAmount(amount)} ${isOne ? "commit" : "commits"}`;
}

/** Formats a number of commits without the word "commits": `about 21`, `less than 1`. */
export function formatAmount(amount: number): string {
  if (amount > 0 && amount < 1) return "less than 1";
  return Number.isInteger(amount)
    ? formatCount(amount)
    : `about ${formatCount(Math.round(amount))}`;
}

/** Formats experience as `account of 9 years` or `first commit 9 years ago`; empty if neither is known. */
export function formatExperience({
  profile,
  proficiency,
}: Pick<ProfileAnalysis, "profile" | "proficiency">): string {
  const { experienceYears: years } = proficiency;
  const { experienceSource: source } = profile;
  if (source === "none") return "";
  const long = formatYears(years);
  return source === "forge" ? `account of ${long}` : `first commit ${long} ago`;
}

/** Formats the day up to which a person's history was read. Empty if the history is up to date. */
export function formatReadEnd({
  activity: { until },
  repositories,
  asOf,
}: ProfileAnalysis): string {
  const named = formatEnded(repositories);
  const isOver = until !== undefined && isStale(until, asOf);
  return [isOver ? formatDate(until) : "", named].filter(Boolean).join(": ");
}
