/**
 * The two numbers of a person's commits: all that the person wrote or co-wrote, and those of them that count. docs/scoring.md says
 * what does not count.
 */
import { formatCount, formatCounted } from "../format.ts";
import type { ProfileAnalysis } from "./profile-analysis.ts";

type CommitCounts = Pick<ProfileAnalysis["activity"], "totalCommits" | "excluded">;

/** @returns undefined if no source says what does not count, as for a person from a file or a forge. */
export function countWritten({ totalCommits, excluded }: CommitCounts): number | undefined {
  const left = Object.values(excluded);
  return left.length === 0 ? undefined : left.reduce((sum, count) => sum + count, totalCommits);
}

/** Formats `3,982 commits count, of 5,510 written`, or `3,982 commits` if no more are known. */
export function formatCommitCounts(counts: CommitCounts): string {
  const counted = formatCounted(counts.totalCommits, "commit");
  const written = countWritten(counts);
  if (written === undefined || written === counts.totalCommits) return counted;
  const verb = counts.totalCommits === 1 ? "counts" : "count";
  return `${counted} ${verb}, of ${formatCount(written)} written`;
}

/** Says why commits do not count: `Not counted: 912 merges, 401 beyond five a day and 215 others.` Empty if all count. */
export function explainUncounted({ excluded }: Pick<CommitCounts, "excluded">): string {
  const reasons = Object.entries(excluded)
    .filter(([, count]) => count > 0)
    .sort(([, more], [, less]) => less - more);
  const named = reasons.slice(0, namedMax).map(([reason, count]) => {
    const [one, many] = reasonNames[reason] ?? [reason, reason];
    return formatCounted(count, one, many);
  });
  const rest = reasons.slice(namedMax).reduce((sum, [, count]) => sum + count, 0);
  if (rest > 0) named.push(formatCounted(rest, "other"));
  const last = named.pop();
  if (last === undefined) return "";
  return `Not counted: ${named.length > 0 ? `${named.join(", ")} and ${last}` : last}.`;
}

const namedMax = 2;

const reasonNames: Readonly<Record<string, readonly [one: string, many: string]>> = {
  merge: ["merge", "merges"],
  duplicate: ["copy", "copies"],
  revert: ["revert", "reverts"],
  empty: ["empty commit", "empty commits"],
  whitespace: ["change of white space", "changes of white space"],
  generated: ["commit of generated files", "commits of generated files"],
  vendored: ["commit of vendored files", "commits of vendored files"],
  undated: ["commit without a date", "commits without a date"],
  future: ["commit dated later", "commits dated later"],
  disordered: ["commit with an impossible date", "commits with impossible dates"],
  capped: ["beyond five a day", "beyond five a day"],
};
