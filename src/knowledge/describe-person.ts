/** Turns what somebody knows of files into the answer: figures, dates and the reasons in words. */
import type { KnowingPerson } from "../contract/people/who-knows.ts";
import type { PersonKnowledge } from "./measure-knowledge.ts";

interface KnowledgeContext {
  readonly asOfDay: number;
  /** Files that are there now, and lines that stand in them. */
  readonly files: number;
  readonly lines: number;
  /** Commits that give confidence one half. */
  readonly halfCommits: number;
}

/** Who the person is, from the pool. */
export interface KnownPerson {
  readonly login: string;
  readonly name: string | undefined;
  readonly emails: readonly string[];
}

const activeDays = 365;

export function toKnowingPerson(
  knowledge: PersonKnowledge,
  { login, name, emails }: KnownPerson,
  context: KnowledgeContext,
): KnowingPerson {
  const { commits, assisted, reviews, files, lines, lastAnywhere } = knowledge;
  const evidence = commits + reviews;
  return {
    login,
    ...(name === undefined ? {} : { name }),
    emails: [...emails],
    score: Math.round(knowledge.share * 1000) / 10,
    confidence: roundShare(evidence / (evidence + context.halfCommits)),
    isActive: lastAnywhere >= context.asOfDay - activeDays,
    lastActive: formatUtcDay(Math.max(lastAnywhere, knowledge.last)),
    evidence: {
      ...{ commits, assisted, reviews, files, lines: Math.round(lines) },
      lineShare: roundShare(knowledge.lineShare),
      recentShare: roundShare(knowledge.recentShare),
      first: formatUtcDay(knowledge.first),
      last: formatUtcDay(knowledge.last),
    },
    reasons: listReasons(knowledge, context),
  };
}

function listReasons(
  {
    commits,
    assisted,
    reviews,
    files,
    lines,
    lineShare,
    first,
    last,
    lastAnywhere,
  }: PersonKnowledge,
  context: KnowledgeContext,
): string[] {
  const standing = Math.round(lines);
  return [
    commits > 0 &&
      `${count(commits, "commit")} to ${count(files, "file")}, ${formatSpan(first, last)}.`,
    standing > 0 &&
      `About ${count(standing, "line")} of theirs still stand, ${formatPercent(lineShare)} of what counts here.`,
    reviews > 0 && `Reviewed ${count(reviews, "commit")} to these files.`,
    assisted > 0 && `${assisted} of the commits are marked as written with an AI assistant.`,
    lastAnywhere > last && `Last committed to the repository on ${formatUtcDay(lastAnywhere)}.`,
    lastAnywhere < context.asOfDay - activeDays && "Has not committed here for over a year.",
  ].filter((reason) => reason !== false);
}

function formatSpan(first: number, last: number): string {
  const begin = formatUtcDay(first);
  return first === last ? `on ${begin}` : `${begin} to ${formatUtcDay(last)}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** @package */
export function formatPercent(share: number): string {
  const percent = share * 100;
  return percent > 0 && percent < 1 ? "under 1 %" : `${Math.round(percent)} %`;
}

function roundShare(share: number): number {
  return Math.round(share * 1000) / 1000;
}

/** @param day UTC days since 1970. */
export function formatUtcDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
