import type { CommitFacts, Evidence, EvidenceKind, Facts } from "../contract/people/facts.ts";
import { isStale } from "../contract/people/history-end.ts";
import { toDay, toMonthIndex } from "./calendar.ts";

/** The facts of a developer up to the as-of day. Lists of months are not sorted. The month of `history.until` has age 0. */
export interface FactsAsOf {
  readonly facts: Facts;
  readonly asOf: string;
  readonly history: HistoryRead;
  readonly untilMonth: number;
  /** Undefined means that no source looked at commits. */
  readonly commits: CommitsAsOf | undefined;
  readonly evidence: readonly EvidenceAsOf[];
  readonly repositories: Facts["repositories"];
  /** How many commits, pieces of evidence and repositories are dated after the as-of day. */
  readonly later: { readonly commits: number; readonly evidence: number; repositories: number };
}

/** How far Roster has read the history of a person's repositories. */
interface HistoryRead {
  /** The day up to which recent work is judged. It is the as-of day, or an earlier day if the known history ends earlier. */
  readonly until: string;
  /** Whether `until` is so long ago that answers name it. */
  readonly isStale: boolean;
  /** Repositories whose known history ended long ago, while the person was still active there. The latest end comes first. */
  readonly ended: readonly { readonly repository: string; readonly until: string }[];
}

interface CommitsAsOf {
  readonly total: number;
  /** Commits by age in months. */
  readonly volume: readonly DatedEvidence[];
  /** Age in months of the oldest month with commits. */
  readonly oldest: number | undefined;
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly semantic: CommitFacts["semantic"];
  readonly quality: CommitFacts["quality"];
}

export interface EvidenceAsOf {
  readonly kind: EvidenceKind;
  readonly name: string;
  readonly commits: number;
  readonly lines: number;
  /** For an import, the number of changed lines in the repositories that use the package. 0 means unknown. */
  readonly linesAround: number;
  readonly months: readonly DatedEvidence[];
  /** The number of commits without a known month. */
  readonly undated: number;
  readonly repositories: readonly string[];
}

export interface DatedEvidence {
  readonly age: number;
  readonly amount: number;
}

export function cutFactsAsOf(facts: Facts, asOf: string): FactsAsOf {
  const history = readHistory(facts, asOf);
  const months: MonthSpan = { until: toMonthIndex(history.until), asOf: toMonthIndex(asOf) };
  const later = { commits: 0, evidence: 0, repositories: 0 };
  const evidence: EvidenceAsOf[] = [];
  for (const piece of facts.evidence) {
    const { counted, isLater } = countedEvidence(piece, months);
    if (isLater) later.evidence++;
    if (counted.commits > 0 || piece.kind === "readme") evidence.push(counted);
  }
  const repositories = facts.repositories.filter(
    (repository) => !(repository.firstCommit !== undefined && repository.firstCommit > asOf),
  );
  later.repositories = facts.repositories.length - repositories.length;
  const commits = countedCommits(facts, asOf, months);
  later.commits = (facts.commits?.total ?? 0) - (commits?.total ?? 0);
  const untilMonth = months.until;
  return { facts, asOf, history, untilMonth, commits, evidence, repositories, later };
}

/** Counts the commits that do not count, by reason. Commits after the as-of day are among them. */
export function countUncounted({ facts, later }: FactsAsOf): Readonly<Record<string, number>> {
  const excluded: Record<string, number> = {};
  for (const reason of Object.keys(facts.commits?.excluded ?? {}).sort()) {
    excluded[reason] = facts.commits?.excluded?.[reason] ?? 0;
  }
  if (later.commits > 0) excluded["future"] = (excluded["future"] ?? 0) + later.commits;
  return excluded;
}

/** Whether the person has no commit in the year before the end of what was read. */
export function isSilent({ commits, history: { until } }: FactsAsOf): boolean {
  if (commits?.last === undefined) return !commits?.volume.some(({ age }) => age <= 12);
  return Date.parse(until) - Date.parse(commits.last) > 365 * 86_400_000;
}

/** Finds how far history was read. A repository without a stated end counts as read up to the as-of day. */
function readHistory(facts: Facts, asOf: string): HistoryRead {
  const ended: { repository: string; until: string }[] = [];
  let end: string | undefined;
  for (const { name, commits = 0, firstCommit, lastCommit, historyEnd } of facts.repositories) {
    if (commits === 0 || (firstCommit !== undefined && firstCommit > asOf)) continue;
    if (historyEnd === undefined) return { until: asOf, isStale: false, ended: [] };
    if (end === undefined || historyEnd > end) end = historyEnd;
    const wasThere = lastCommit !== undefined && !isStale(lastCommit, historyEnd);
    if (wasThere && isStale(historyEnd, asOf)) ended.push({ repository: name, until: historyEnd });
  }
  ended.sort((a, b) =>
    a.until === b.until ? (a.repository < b.repository ? -1 : 1) : a.until > b.until ? -1 : 1,
  );
  const last = lastDay(facts, asOf);
  if (end !== undefined && last !== undefined && last > end) end = last;
  if (end === undefined || end >= asOf) return { until: asOf, isStale: false, ended };
  return { until: end, isStale: isStale(end, asOf), ended };
}

interface MonthSpan {
  /** The month that has age 0. */
  readonly until: number;
  /** The last month whose commits are counted. */
  readonly asOf: number;
}

function countedCommits(facts: Facts, asOf: string, span: MonthSpan): CommitsAsOf | undefined {
  const { commits } = facts;
  if (!commits) return undefined;
  const { months, oldest, laterAmount, laterMonths } = dated(commits.volume, span);
  const onlyLater = laterMonths > 0 && months.length === 0;
  if (onlyLater || (commits.first !== undefined && commits.first > asOf)) return noCommitsYet;
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

export const noCommitsYet: CommitsAsOf = {
  total: 0,
  volume: [],
  oldest: undefined,
  first: undefined,
  last: undefined,
  semantic: { eligible: 0, matches: 0 },
  quality: { n: 0, good: 0, withBody: 0, withReference: 0, withReason: 0 },
};

/** Finds the latest known day with a commit. Days after the as-of day are left out. */
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

function countedEvidence(piece: Evidence, span: MonthSpan) {
  const { months, laterAmount, laterMonths } = dated(piece.months, span);
  const known = months.reduce((sum, { amount }) => sum + amount, 0);
  const commits = Math.max(0, piece.commits - Math.round(laterAmount));
  const share = piece.commits > 0 ? Math.min(1, commits / piece.commits) : 1;
  const counted: EvidenceAsOf = {
    kind: piece.kind,
    name: piece.name,
    commits: Math.max(commits, Math.round(known)),
    lines: Math.round((piece.lines ?? 0) * share),
    linesAround: Math.round((piece.linesAround ?? 0) * share),
    months,
    undated: Math.max(0, piece.commits - known - laterAmount),
    repositories: piece.repositories ?? [],
  };
  return { counted, isLater: laterMonths > 0 };
}

/** The most commits that count for one month. The limit keeps sums finite when the input is nonsense. */
const amountMax = 1e9;

function dated(byMonth: Readonly<Record<string, number>>, span: MonthSpan) {
  const months: DatedEvidence[] = [];
  let oldest: number | undefined;
  let laterAmount = 0;
  let laterMonths = 0;
  for (const month in byMonth) {
    const amount = Math.min(amountMax, byMonth[month] ?? 0);
    if (amount <= 0) continue;
    const index = toMonthIndex(month);
    if (index <= span.asOf) {
      const age = Math.max(0, span.until - index);
      months.push({ age, amount });
      if (oldest === undefined || age > oldest) oldest = age;
    } else {
      laterAmount += amount;
      laterMonths++;
    }
  }
  return { months, oldest, laterAmount, laterMonths };
}
