/**
 * Decides whether a commit counts, and if not, why. The reasons do not depend on the person behind the author, so
 * they are known before identities are joined; only the daily limit needs the person.
 */
import type { FileClassification } from "../../linguist/linguist.ts";
import { fingerprintText } from "../commit/fingerprints.ts";
import type { LoggedCommit } from "../commit/logged-commit.ts";
import { getSubject } from "../read/assess-message.ts";

/** Why a commit was read and not counted; keys of `commits.excluded` in the facts. */
export type Exclusion =
  | "merge"
  | "undated"
  | "future"
  | "disordered"
  | "duplicate"
  | "revert"
  | "empty"
  | "whitespace"
  | "generated"
  | "vendored"
  | "capped";

const secondsPerDay = 86_400;

/** @returns UTC days since 1970 of an author date; undefined when git could not read it or it is implausible. */
export function toDayNumber(seconds: number): number | undefined {
  if (!Number.isFinite(seconds) || seconds < earliestSeconds || seconds > latestSeconds) {
    return undefined;
  }
  return Math.floor(seconds / secondsPerDay);
}

/** Broken conversions write zero and nearby values. */
const earliestSeconds = 366 * secondsPerDay;
const latestSeconds = 253_402_300_799;

/**
 * Whether the author date contradicts the committer date: more than a day later, or ten years earlier. Patches may
 * wait long for a committer, so only a limit above every real wait is fair: among 86,000 commits of 16 public
 * repositories, no author date was over a day after the committer date, and the longest wait was 8.2 years. Dates of
 * parents are worse evidence, since late merges and wrong clocks are common.
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

/**
 * Fingerprints the content of a commit, so that copies are found: cherry-picks and rebased copies keep author, author
 * date and subject, and change as many lines of the same files. A patch id is more exact but needs every diff.
 */
export function fingerprintContent(commit: LoggedCommit): bigint {
  const changes = commit.files
    .map(({ path, added, deleted }) => `${added}\t${deleted}\t${path}`)
    .join("\0");
  return fingerprintText(
    `${commit.author.line}\0${commit.seconds}\0${getSubject(commit.message)}\0${changes}`,
  );
}

/**
 * Finds a reason in the change itself why a commit does not count.
 *
 * @param kinds classifications of the changed files.
 * @returns undefined when the commit counts.
 */
export function findExclusion(
  commit: { readonly isRevert: boolean; readonly isWhitespace: boolean },
  kinds: readonly FileClassification[],
): Exclusion | undefined {
  if (commit.isRevert) return "revert";
  if (kinds.length === 0) return "empty";
  if (commit.isWhitespace) return "whitespace";
  if (kinds.every((kind) => kind.foreign)) return "vendored";
  if (kinds.every((kind) => kind.foreign || kind.generated)) return "generated";
  return undefined;
}

/**
 * Whether a commit imports a tree: over 100 new files below one folder. It counts as a commit, but is no evidence of
 * what its author writes.
 */
export function isBulkImport(commit: LoggedCommit): boolean {
  if (commit.files.length <= bulkFiles) return false;
  const folders = new Map<string, number>();
  for (const { path, isNew } of commit.files) {
    if (!isNew) continue;
    const folder = path.slice(0, Math.max(0, path.indexOf("/")));
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  return Math.max(0, ...folders.values()) > bulkFiles;
}

const bulkFiles = 100;
