/** Formats figures and instants for people, in English and UTC, so that a figure has the same words on every page. */
import { scopes } from "../../../accounts/accounts.ts";
import {
  formatCount,
  formatCounted,
  formatDate,
  formatShortMonth,
  formatYears,
  monthNames,
} from "../../../contract/format.ts";
import { isStale } from "../../../contract/people/history-end.ts";
import { isQuiet } from "../../../contract/people/introduction.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";

export * from "../../../contract/format.ts";

/** Formats an instant as `1 December 2026, 00:00 UTC`. */
export const formatInstant = (at: Date): string =>
  `${formatDay(at)}, ${at.toISOString().slice(11, 16)} UTC`;

export const formatDay = (at: Date): string =>
  `${at.getUTCDate()} ${monthNames[at.getUTCMonth()]} ${at.getUTCFullYear()}`;

export const formatPeople = (count: number): string =>
  count === 0 ? "Nobody" : `${formatCount(count)} ${count === 1 ? "person" : "people"}`;

/** Formats the calls used: `12 of 1,000 calls this month`, or `12 calls this month` without a limit. */
export function formatUsed(used: number, limit: number | undefined): string {
  if (limit === undefined) return `${formatCounted(used, "call")} this month`;
  return `${formatCount(used)} of ${formatCounted(limit, "call")} this month`;
}

/** What a user agent contains, and its name. The order matters, because browsers also name other browsers. */
const devices = [
  "Edg/Edge OPR/Opera Firefox/Firefox FxiOS/Firefox Chrome/Chrome CriOS/Chrome Safari/Safari",
  "iPhone/iOS iPad/iOS Android/Android Windows/Windows Macintosh/macOS CrOS/ChromeOS Linux/Linux",
].map((kind) => kind.split(" ").map((pair) => pair.split("/")));

/** Formats a user agent as `Firefox on Linux`. */
export function formatDevice(userAgent: string | undefined): string {
  if (!userAgent) return "An unnamed program";
  const found = devices.map((kind) => kind.find(([mark = ""]) => userAgent.includes(mark))?.[1]);
  return found[0] ? found.filter(Boolean).join(" on ") : userAgent.slice(0, 60);
}

/** Describes a scope in words; an unknown scope is shown as it is. */
export const formatScope = (scope: string): string =>
  (scopes as Readonly<Record<string, string>>)[scope] ?? scope;

/** Lists repositories whose history ends while the person still worked there: `acme/tool 24 October 2024`. */
export const formatEnded = ({ ended = [] }: ProfileAnalysis["repositories"]): string =>
  ended.map(({ repository, until }) => `${repository} ${formatDate(until)}`).join(", ");

/**
 * Formats activity as `last active 3 Nov 2026` or `quiet since Mar 2025`. All days are YYYY-MM-DD.
 * @param until the day up to which the history was read. Default: `asOf`.
 */
export function formatActivity(
  lastActive: string | undefined,
  asOf: string,
  until: string = asOf,
): string {
  if (lastActive === undefined) return "no commits known";
  const end = isStale(until, asOf) ? `, data ends ${formatDate(until)}` : "";
  return isQuiet(lastActive, until)
    ? `quiet since ${formatShortMonth(lastActive)}${end}`
    : `last active ${formatDate(lastActive)}${end}`;
}

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
