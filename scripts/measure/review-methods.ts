/**
 * Ways to name reviewers of a change, for comparison with Roster's. All see the same people and the same commits, those before the
 * day of the change.
 */
import type { AuthorshipHead, PathBlock } from "../../src/pool/pool.ts";

/** The commits of a repository, by number, and its files. */
export interface ReviewedHistory {
  readonly head: AuthorshipHead;
  readonly paths: readonly string[];
  /** By commit: numbers of the files that it changed. */
  readonly filesOf: readonly (readonly number[])[];
  /** By file: numbers of the commits that changed it, oldest first. */
  readonly commitsOf: readonly (readonly number[])[];
  /** By commit: login of the author; undefined for bots and people who are not in the pool. */
  readonly authors: readonly (string | undefined)[];
  /** By commit: logins of other people who reviewed it. */
  readonly reviewers: readonly (readonly string[])[];
}

/** A change that was reviewed. */
export interface ReviewedChange {
  readonly commit: number;
  readonly author: string;
  readonly reviewers: readonly string[];
  readonly files: readonly number[];
  /** In UTC days since 1970. */
  readonly day: number;
}

/** @returns how much speaks for each person, the author too. */
export type ReviewMethod = (
  history: ReviewedHistory,
  change: ReviewedChange,
) => ReadonlyMap<string, number>;

export function readReviewedHistory(
  head: AuthorshipHead,
  blocks: readonly PathBlock[],
): ReviewedHistory {
  const { day, author, others } = head.columns;
  const loginOf = (number: number) => head.logins[number];
  const authors = Array.from(author, loginOf);
  const reviewers = Array.from(day, (): string[] => []);
  for (const [at, commit] of others.commit.entries()) {
    const login = loginOf(others.author[at] ?? -1);
    if (others.kind[at] !== 1 || login === undefined || login === authors[commit]) continue;
    reviewers[commit]?.push(login);
  }
  const filesOf = Array.from(day, (): number[] => []);
  const commitsOf: number[][] = [];
  const paths: string[] = [];
  for (const block of blocks) {
    for (const [file, path] of block.paths.entries()) {
      const number = paths.push(path) - 1;
      const commits = [...block.commit.subarray(block.starts[file], block.starts[file + 1])];
      commitsOf.push(commits);
      for (const commit of commits) filesOf[commit]?.push(number);
    }
  }
  return { head, paths, filesOf, commitsOf, authors, reviewers };
}

/** @returns what was done to the file before the change. */
function listBefore({ head, commitsOf }: ReviewedHistory, file: number, day: number) {
  return (commitsOf[file] ?? []).filter((commit) => (head.columns.day[commit] ?? 0) < day);
}

function add(scores: Map<string, number>, login: string | undefined, value: number): void {
  if (login !== undefined) scores.set(login, (scores.get(login) ?? 0) + value);
}

export const countCommits: ReviewMethod = (history, { files, day }) => {
  const commits = new Set(files.flatMap((file) => listBefore(history, file, day)));
  const scores = new Map<string, number>();
  for (const commit of commits) add(scores, history.authors[commit], 1);
  return scores;
};

const partnersMax = 5;
const partnerScoreMin = 2;
const partnerCommits = 2000;
const wideCommit = 200;
const fadingDays = 180;

/**
 * The rule that repowise published in 2026: the share of each author in the commits to each file, and four tenths of the share
 * in its commits of the last 90 days; and half of the share in the five files that changed together with it most.
 */
export const weighOwnersAndPartners: ReviewMethod = (history, { files, day }) => {
  const scores = new Map<string, number>();
  const addFile = (file: number, weight: number) => {
    const commits = listBefore(history, file, day);
    const recent = commits.filter((commit) => (history.head.columns.day[commit] ?? 0) > day - 90);
    const counts = new Map<string, number>();
    for (const commit of commits) add(counts, history.authors[commit], 1);
    for (const [login, count] of counts) {
      const share = count / commits.length;
      const lately = Math.floor(recent.length * share) / Math.max(1, recent.length);
      add(scores, login, weight * share + 0.4 * lately);
    }
  };
  const changed = files.filter((file) => listBefore(history, file, day).length > 0);
  for (const file of changed) addFile(file, 1);
  const partners = new Set(changed.flatMap((file) => listPartners(history, file, day)));
  for (const file of partners) addFile(file, 0.5);
  return scores;
};

function listPartners(history: ReviewedHistory, file: number, day: number): readonly number[] {
  const days = history.head.columns.day;
  // Commits are in the order of their days.
  const from = countBelow(days, day) - partnerCommits;
  const scores = new Map<number, number>();
  for (const commit of listBefore(history, file, day)) {
    const together = history.filesOf[commit] ?? [];
    if (commit < from || together.length > wideCommit) continue;
    const weight = Math.exp(-(day - (days[commit] ?? 0)) / fadingDays);
    for (const other of together) {
      if (other !== file) scores.set(other, (scores.get(other) ?? 0) + weight);
    }
  }
  return [...scores]
    .filter(([, score]) => score >= partnerScoreMin)
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, partnersMax)
    .map(([other]) => other);
}

function countBelow(sorted: Uint16Array, day: number): number {
  const at = sorted.findIndex((one) => one >= day);
  return at === -1 ? sorted.length : at;
}
