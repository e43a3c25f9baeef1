import type { CommitFacts, Evidence, EvidenceKind, Facts } from "../contract/people/facts.ts";
import { toDay, toMonthIndex } from "./calendar.ts";

/**
 * Facts as they were on the as-of day: later evidence is reported but not counted.
 * Months are given by age, in no order: the as-of month has age 0.
 * @package
 */
export interface FactsAsOf {
  readonly facts: Facts;
  readonly asOf: string;
  readonly asOfMonth: number;
  /** Absent when no source looked at commits. */
  readonly commits: CommitsAsOf | undefined;
  readonly evidence: readonly EvidenceAsOf[];
  readonly repositories: Facts["repositories"];
  /** Commits, pieces of evidence and repositories dated after as-of. */
  readonly later: { readonly commits: number; readonly evidence: number; repositories: number };
}

/** @package */
interface CommitsAsOf {
  readonly total: number;
  /** Volume by age in months. */
  readonly volume: readonly DatedEvidence[];
  /** Age of the oldest month with commits. */
  readonly oldest: number | undefined;
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly semantic: CommitFacts["semantic"];
  readonly quality: CommitFacts["quality"];
}

/** @package */
export interface EvidenceAsOf {
  readonly kind: EvidenceKind;
  readonly name: string;
  readonly commits: number;
  readonly lines: number;
  readonly months: readonly DatedEvidence[];
  /** Commits of an unknown month. */
  readonly undated: number;
  readonly repositories: readonly string[];
}

/** @package */
export interface DatedEvidence {
  readonly age: number;
  readonly amount: number;
}

/** @package */
export function cutFactsAsOf(facts: Facts, asOf: string): FactsAsOf {
  const asOfMonth = toMonthIndex(asOf);
  const later = { commits: 0, evidence: 0, repositories: 0 };
  const evidence: EvidenceAsOf[] = [];
  for (const piece of facts.evidence) {
    const { counted, isLater } = countedEvidence(piece, asOfMonth);
    if (isLater) later.evidence++;
    if (counted.commits > 0 || piece.kind === "readme") evidence.push(counted);
  }
  const repositories = facts.repositories.filter(
    (repository) => !(repository.firstCommit !== undefined && repository.firstCommit > asOf),
  );
  later.repositories = facts.repositories.length - repositories.length;
  const commits = countedCommits(facts, asOf);
  later.commits = (facts.commits?.total ?? 0) - (commits?.total ?? 0);
  return { facts, asOf, asOfMonth, commits, evidence, repositories, later };
}

function countedCommits(facts: Facts, asOf: string): CommitsAsOf | undefined {
  const { commits } = facts;
  if (!commits) return undefined;
  const { months, oldest, laterAmount, laterMonths } = dated(commits.volume, toMonthIndex(asOf));
  const onlyLater = laterMonths > 0 && months.length === 0;
  if (onlyLater || (commits.first !== undefined && commits.first > asOf)) return noneYet;
  return {
    total: Math.max(0, commits.total - Math.round(laterAmount)),
    volume: months,
    oldest,
    first: commits.first,
    last: lastDay(facts, asOf),
    semantic: commits.semantic,
    quality: commits.quality,
  };
}

const noneYet: CommitsAsOf = {
  total: 0,
  volume: [],
  oldest: undefined,
  first: undefined,
  last: undefined,
  semantic: { eligible: 0, matches: 0 },
  quality: { n: 0, good: 0, withBody: 0, withReference: 0, withReason: 0 },
};

/** The day of the last commit; if that is after as-of, the latest day up to it that a repository gives. */
function lastDay(facts: Facts, asOf: string): string | undefined {
  const lastOfAll = facts.commits?.last;
  if (lastOfAll !== undefined && lastOfAll <= asOf) return lastOfAll;
  let last: string | undefined;
  for (const { lastCommit } of facts.repositories) {
    if (lastCommit !== undefined && lastCommit <= asOf && !(last && last >= lastCommit)) {
      last = toDay(lastCommit);
    }
  }
  return last;
}

function countedEvidence(piece: Evidence, asOfMonth: number) {
  const { months, laterAmount, laterMonths } = dated(piece.months, asOfMonth);
  const known = months.reduce((sum, { amount }) => sum + amount, 0);
  const commits = Math.max(0, piece.commits - Math.round(laterAmount));
  const share = piece.commits > 0 ? Math.min(1, commits / piece.commits) : 1;
  const counted: EvidenceAsOf = {
    kind: piece.kind,
    name: piece.name,
    commits: Math.max(commits, Math.round(known)),
    lines: Math.round((piece.lines ?? 0) * share),
    months,
    undated: Math.max(0, piece.commits - known - laterAmount),
    repositories: piece.repositories ?? [],
  };
  return { counted, isLater: laterMonths > 0 };
}

/** More commits than anyone makes in a month; keeps sums finite when the input is nonsense. */
const amountMax = 1e9;

function dated(byMonth: Readonly<Record<string, number>>, asOfMonth: number) {
  const months: DatedEvidence[] = [];
  let oldest: number | undefined;
  let laterAmount = 0;
  let laterMonths = 0;
  for (const month in byMonth) {
    const amount = Math.min(amountMax, byMonth[month] ?? 0);
    if (amount <= 0) continue;
    const age = asOfMonth - toMonthIndex(month);
    if (age >= 0) {
      months.push({ age, amount });
      if (oldest === undefined || age > oldest) oldest = age;
    } else {
      laterAmount += amount;
      laterMonths++;
    }
  }
  return { months, oldest, laterAmount, laterMonths };
}
