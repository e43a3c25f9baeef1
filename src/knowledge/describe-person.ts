/** Composes the answer about a person: figures, dates and reasons in words. */
import { formatCount, formatCounted, formatDate, formatShare } from "../contract/format.ts";
import { formatUtcDay } from "../contract/people/history-end.ts";
import { formatOwnerWord } from "../contract/people/owners-proposal.ts";
import type { OwnershipFiles } from "../contract/people/ownership-drift.ts";
import type { KnowingPerson } from "../contract/people/who-knows.ts";
import type { NamedReviewer } from "./describe-reviewers.ts";
import { isHistoryStale } from "./history-end.ts";
import { noWork, type PersonKnowledge } from "./measure-knowledge.ts";
import type { MeasuredOwnership } from "./ownership/measure-ownership.ts";
import type { OwnershipDrift } from "./ownership/ownership-drift.ts";
import { activeDays } from "./rank-reviewers.ts";

interface KnowledgeContext {
  readonly asOfDay: number;
  /** The last day of the history that was read, but at most the as-of day. */
  readonly untilDay: number;
  /** The number of commits that gives a confidence of one half. */
  readonly halfCommits: number;
}

export interface KnownPerson {
  readonly login: string;
  readonly name: string | undefined;
  readonly emails: readonly string[];
}

export function toKnowingPerson(
  knowledge: PersonKnowledge,
  { login, name, emails }: KnownPerson,
  context: KnowledgeContext,
): KnowingPerson {
  const { commits, assisted, reviews, files, lines, first, last, lastWork, hasLeft } = knowledge;
  const evidence = commits + reviews;
  return {
    login,
    ...(name === undefined ? {} : { name }),
    emails: [...emails],
    score: Math.round(knowledge.share * 1000) / 10,
    confidence: roundShare(evidence / (evidence + context.halfCommits)),
    isActive: isActive(knowledge, context),
    ...(hasLeft && { hasLeft }),
    lastActive: formatUtcDay(lastWork),
    evidence: {
      ...{ commits, assisted, reviews, files, lines: Math.round(lines) },
      lineShare: roundShare(knowledge.lineShare),
      recentShare: roundShare(knowledge.recentShare),
      ...(evidence > 0 && { first: formatUtcDay(first), last: formatUtcDay(last) }),
    },
    reasons: [...listReasons(knowledge), ...listAbsences(knowledge, context)],
  };
}

export function toReviewingPerson(
  reviewer: NamedReviewer,
  person: KnownPerson,
  context: KnowledgeContext,
): KnowingPerson {
  const { login, share, lastDay, hasLeft, known, folders } = reviewer;
  const evidence = folders.reviews + folders.commits;
  const knowledge = reviewer.knowledge ?? { ...noWork, login, lastWork: lastDay, hasLeft };
  return {
    ...toKnowingPerson(knowledge, person, context),
    score: Math.round(share * 1000) / 10,
    confidence: roundShare(evidence / (evidence + context.halfCommits)),
    reasons: [
      ...listRelief(reviewer),
      ...listReasons(knowledge),
      ...listReviewReasons(reviewer),
      ...listAbsences(knowledge, context),
    ],
    ...(known.length > 0 && {
      files: known.map(({ path, share: part }) => ({ path, share: roundShare(part) })),
    }),
  };
}

function listRelief({ relieved, recentReviews }: NamedReviewer): string[] {
  if (!relieved) return [];
  const reviewed = `Reviewed ${formatCounted(recentReviews, "change")} in the last weeks`;
  const other = `${relieved.login}, equally suitable, reviewed ${formatCount(relieved.recentReviews)}`;
  return [`${reviewed}; ${other}.`];
}

function listReviewReasons({ files, folders, repository, lately }: NamedReviewer): string[] {
  const beside = {
    reviews: folders.reviews - files.reviews,
    commits: folders.commits - files.commits,
  };
  const nearby = listWork(beside);
  return [
    nearby && `${nearby} nearby.`,
    folders.reviews + folders.commits === 0 &&
      repository.reviews + repository.commits > 0 &&
      `${listWork(repository)} elsewhere in the repository.`,
    `${listWork(lately) || "No work"} in the repository in the last ${lately.days} days.`,
  ].filter((reason) => typeof reason === "string");
}

function listWork({ reviews, commits }: NamedReviewer["repository"]): string {
  return [
    reviews > 0 && formatCounted(reviews, "review"),
    commits > 0 && formatCounted(commits, "commit"),
  ]
    .filter(Boolean)
    .join(" and ");
}

function listReasons({
  commits,
  assisted,
  reviews,
  files,
  lines,
  lineShare,
  first,
  last,
}: PersonKnowledge): string[] {
  const surviving = Math.round(lines);
  return [
    commits > 0 &&
      `${formatCounted(commits, "commit")} to ${formatCounted(files, "file")} here, ${formatPeriod(first, last)}.`,
    surviving > 0 &&
      `About ${formatCount(surviving)} of their lines ${surviving === 1 ? "remains" : "remain"}, ${formatShare(lineShare)} of the code.`,
    reviews > 0 && `${formatCounted(reviews, "review")} of these files.`,
    assisted > 0 && `${formatCounted(assisted, "commit")} marked as written with an AI assistant.`,
  ].filter((reason) => reason !== false);
}

/** Says when the person last worked in the repository, and whether that was long ago. */
function listAbsences(
  { last, lastWork }: Pick<PersonKnowledge, "last" | "lastWork">,
  context: KnowledgeContext,
): string[] {
  return [
    lastWork > last && `Last worked in the repository on ${formatDay(lastWork)}.`,
    !isActive({ lastWork }, context) &&
      (isHistoryStale(context)
        ? `No work here in the year to ${formatDay(context.untilDay)}, when the data ends.`
        : "No work here for over a year."),
  ].filter((reason) => reason !== false);
}

function isActive(
  { lastWork }: Pick<PersonKnowledge, "lastWork">,
  { untilDay }: Pick<KnowledgeContext, "untilDay">,
): boolean {
  return lastWork >= untilDay - activeDays;
}

const formatDay = (day: number) => formatDate(formatUtcDay(day));

function formatPeriod(first: number, last: number): string {
  const begin = formatDay(first);
  return first === last ? `on ${begin}` : `${begin} to ${formatDay(last)}`;
}

function roundShare(share: number): number {
  return Math.round(share * 1000) / 1000;
}

const rulesMax = 100;

/** @param spell returns a lower-cased login in its original spelling. */
export function toOwnershipFiles(
  { files, rules, judged, drifting }: MeasuredOwnership,
  spell: (login: string) => string,
): OwnershipFiles {
  return {
    files: [...files],
    ...{ rules, judged },
    drifting: {
      total: drifting.length,
      rules: drifting.slice(0, rulesMax).map((drift) => ({
        ...{ file: drift.rule.file, line: drift.rule.line, pattern: drift.rule.pattern },
        files: drift.files,
        owners: drift.rule.owners.map(formatOwnerWord),
        departed: drift.departed.map((one) => ({
          ...{ owner: formatOwnerWord(one.owner), login: spell(one.login), lastDay: one.lastDay },
          reason: explainDeparted(one),
        })),
        unnamed: drift.unnamed.map(({ login, share, lastDay }) => ({
          ...{ login: spell(login), share: Math.round(share * 1000) / 1000, lastDay },
          reason: `Knows ${formatShare(share)} of these files, last changed one on ${formatDate(lastDay)}, and is not an owner.`,
        })),
        unknown: drift.unknown.map(formatOwnerWord),
        teams: drift.teams.map(formatOwnerWord),
      })),
    },
  };
}

function explainDeparted({ knower, lastDay }: OwnershipDrift["departed"][number]): string {
  const anywhere = `the last work in the repository was on ${formatDate(lastDay)}`;
  if (!knower) return `Never changed these files; ${anywhere}.`;
  const { lastDay: here, share, rank } = knower;
  const left = `knows ${formatShare(share)} of them, as number ${rank}`;
  const since = lastDay > here ? `; ${anywhere}` : "";
  return `Last changed these files on ${formatDate(here)} and ${left}${since}.`;
}
