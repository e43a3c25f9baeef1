/**
 * Reviewed changes, and the plain way to name reviewers that Roster is compared with: who committed to the files before that day.
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

/** @returns the commits of each person to the files before the day of the change, the author's too. */
export function countCommits(
  { head, authors, commitsOf }: ReviewedHistory,
  { files, day }: ReviewedChange,
): ReadonlyMap<string, number> {
  const isBefore = (commit: number) => (head.columns.day[commit] ?? 0) < day;
  const commits = new Set(files.flatMap((file) => (commitsOf[file] ?? []).filter(isBefore)));
  const counts = new Map<string, number>();
  for (const commit of commits) {
    const login = authors[commit];
    if (login !== undefined) counts.set(login, (counts.get(login) ?? 0) + 1);
  }
  return counts;
}
