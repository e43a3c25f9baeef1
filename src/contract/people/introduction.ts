/**
 * Introduces a person in a few sentences: what they work on, since when, how much, and with what. Each part names the evidence
 * behind it, and says no more than the data holds.
 */
import { formatCounted, formatDate, formatShortMonth } from "../format.ts";
import type { Facts } from "./facts.ts";
import { isStale } from "./history-end.ts";
import { type ProfileAnalysis, readCommits } from "./profile-analysis.ts";

export interface IntroductionPart {
  readonly text: string;
  /** The section of the person's page that shows the evidence. Absent for the words between. */
  readonly evidence?: "repositories" | "activity" | "skills" | "identity";
}

type Repository = Facts["repositories"][number];

export interface Introduced {
  readonly analysis: Pick<ProfileAnalysis, "profile" | "activity" | "repositories" | "asOf">;
  readonly repositories: readonly Repository[];
  /** Repositories with the number of all counted commits by anybody. */
  readonly known: readonly {
    readonly name: string;
    readonly forge: string | undefined;
    readonly commits: number;
  }[];
}

export type Authorship = "sole author" | "main author";

/** A year of which this many months have commits is steady. */
const steadyMonthsMin = 10;
/** Without a commit for this long, a person is quiet. */
const quietDaysMin = 183;
/** Languages with a smaller share of the lines are not named. */
const languageShareMin = 0.05;
/** If the known repositories have a smaller share of the commits, other repositories are not known. */
const coverageMin = 0.9;

export function writeIntroduction(introduced: Introduced): readonly IntroductionPart[] {
  const { class: kind } = introduced.analysis.profile;
  const other: readonly IntroductionPart[] = [
    { text: `Counts as ${otherKinds[kind]}`, evidence: "identity" },
    { text: ", so searches leave it out." },
  ];
  const sentences = [
    kind === "human" ? [] : other,
    describeWork(introduced),
    describeMeans(introduced),
    describePace(introduced),
    describeEnd(introduced),
  ].filter(({ length }) => length > 0);
  return sentences.flatMap((sentence, at) => (at === 0 ? sentence : [{ text: " " }, ...sentence]));
}

const otherKinds = {
  human: "",
  bot: "a bot",
  assistant: "an AI assistant",
  nobody: "a shared or unknown author",
} as const;

/** Says whether the person is the only author, or wrote more than half of all commits. Undefined if neither is known. */
export function findAuthorship(
  { name, forge, commits = 0, authors }: Repository,
  known: Introduced["known"],
): Authorship | undefined {
  if (commits === 0) return undefined;
  if (authors === 1) return "sole author";
  const named = known.filter((one) => one.name === name && (!forge || one.forge === forge));
  const [only, second] = named;
  return only && !second && 2 * commits > only.commits ? "main author" : undefined;
}

/** Lists the repositories with own commits, most commits first. */
export function listWorked(repositories: readonly Repository[]): readonly Repository[] {
  return repositories
    .filter(({ commits = 0 }) => commits > 0)
    .sort((a, b) => (b.commits ?? 0) - (a.commits ?? 0));
}

function describeWork(introduced: Introduced): readonly IntroductionPart[] {
  const { analysis, repositories, known } = introduced;
  const { totalCommits: total, firstCommit, lastCommit } = analysis.activity;
  const worked = listWorked(repositories);
  const [first] = worked;
  if (total === 0) return describeUnread(repositories);
  const count = (commits: number): IntroductionPart => ({
    text: commits === 1 ? "One commit" : formatCounted(commits, "commit"),
    evidence: "activity",
  });
  const since = formatPeriod(firstCommit, lastCommit, introduced);
  if (!first) return [count(total), { text: `${since}.` }];
  if (total === 1) return [count(1), { text: " to " }, nameOf(first), { text: `${since}.` }];
  const verb = isPast(introduced) ? "Worked" : "Works";
  const { commits: amount = 0, owned, firstCommit: from, lastCommit: to } = first;
  if (2 * amount < total) {
    const names = joinParts(nameSome(worked));
    const there = worked.reduce((sum, { commits = 0 }) => sum + commits, 0);
    if (there < coverageMin * total) {
      return [count(total), { text: `${since}, including work on ` }, ...names, { text: "." }];
    }
    return [{ text: `${verb} on ` }, ...names, { text: ": " }, count(total), { text: `${since}.` }];
  }
  const authorship = findAuthorship(first, known);
  const mostly = worked.length > 1 ? " mostly" : "";
  const part = authorship
    ? `${authorship === "sole author" ? "Sole" : "Main"} author of `
    : `${verb}${mostly} on ${owned ? "their own " : ""}`;
  const there = formatPeriod(from, to, introduced);
  return [{ text: part }, nameOf(first), { text: ": " }, count(amount), { text: `${there}.` }];
}

/** Describes a person without a counted commit. */
function describeUnread(repositories: readonly Repository[]): readonly IntroductionPart[] {
  const own = repositories.filter(({ owned }) => owned).length;
  if (own === 0) return [{ text: "No commits are known yet." }];
  const text = `Owns ${formatCounted(own, "repository", "repositories")}`;
  return [{ text, evidence: "repositories" }, { text: "; no commits were read." }];
}

const nameOf = ({ name }: Repository): IntroductionPart => ({
  text: name,
  evidence: "repositories",
});

/** Names all of three repositories, and otherwise the first two and how many others there are. */
function nameSome(worked: readonly Repository[]): readonly IntroductionPart[] {
  if (worked.length <= 3) return worked.map(nameOf);
  const text = `${worked.length - 2} more repositories`;
  return [...worked.slice(0, 2).map(nameOf), { text, evidence: "repositories" }];
}

function joinParts(parts: readonly IntroductionPart[]): readonly IntroductionPart[] {
  const before = (at: number) => (at === parts.length - 1 ? " and " : ", ");
  return parts.flatMap((part, at) => (at === 0 ? [part] : [{ text: before(at) }, part]));
}

/** Names the languages by lines, or else the skills with most work. */
function describeMeans({ analysis }: Introduced): readonly IntroductionPart[] {
  const { languages, skills } = analysis.repositories;
  const named = languages.filter(({ share }) => share >= languageShareMin).slice(0, 3);
  const part = (text: string): IntroductionPart => ({ text, evidence: "skills" });
  const [first, ...others] = named.map(({ language }) => part(language));
  const end = { text: "." };
  if (!first) {
    const worked = skills.filter(({ evidence: [most = ""] }) => readCommits(most)).slice(0, 3);
    if (worked.length === 0) return [];
    return [{ text: "Uses " }, ...joinParts(worked.map(({ skill }) => part(skill))), end];
  }
  const share = named[0]?.share ?? 0;
  if (share < 0.5) return [{ text: "Writes " }, ...joinParts([first, ...others]), end];
  const also = others.length > 0 ? [{ text: ", also " }, ...joinParts(others)] : [];
  return [{ text: share < 1 ? "Writes mostly " : "Writes " }, first, ...also, end];
}

/** Says how much the person did in the last year, or since when the person is quiet. */
function describePace(introduced: Introduced): readonly IntroductionPart[] {
  const { totalCommits, lastCommit, current, commitsPerMonth } = introduced.analysis.activity;
  const show = (text: string): IntroductionPart => ({ text, evidence: "activity" });
  if (totalCommits <= 1) return [];
  if (lastCommit && isQuiet(lastCommit, findUntil(introduced))) {
    return [show(`Quiet since ${formatShortMonth(lastCommit)}`), { text: "." }];
  }
  if (!current || current.commits === 0) return [];
  const rate = Math.round(commitsPerMonth);
  const isOver = isDataOver(introduced);
  if (rate >= 1 && current.activeMonths >= steadyMonthsMin) {
    const start = { text: `${isOver ? "Worked" : "Works"} steadily, ` };
    return [start, show(`${formatCounted(rate, "commit")} a month`), { text: "." }];
  }
  const amount = Math.max(1, Math.round(current.commits));
  return [
    show(formatCounted(amount, "commit")),
    { text: ` in the last year${isOver ? " of data" : ""}.` },
  ];
}

function describeEnd(introduced: Introduced): readonly IntroductionPart[] {
  if (!isDataOver(introduced)) return [];
  const text = `Data ends ${formatDate(findUntil(introduced))}`;
  return [{ text, evidence: "activity" }, { text: "; later work may exist." }];
}

/** The last day of the history that was read. */
const findUntil = ({ analysis: { activity, asOf } }: Introduced) => activity.until ?? asOf;

const isDataOver = (introduced: Introduced) =>
  isStale(findUntil(introduced), introduced.analysis.asOf);

/** Whether the last commit was long before the last day of the history that was read. All days are YYYY-MM-DD. */
export function isQuiet(lastCommit: string, until: string): boolean {
  return countDays(lastCommit, until) > quietDaysMin;
}

const countDays = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** Whether the work is over, as far as is known. */
function isPast(introduced: Introduced): boolean {
  const { lastCommit } = introduced.analysis.activity;
  return (
    isDataOver(introduced) ||
    (lastCommit !== undefined && isQuiet(lastCommit, findUntil(introduced)))
  );
}

/** Formats ` since 2016`, ` from 2016 to 2019` or ` in 2019`; empty if no day is known. */
function formatPeriod(
  from: string | undefined,
  to: string | undefined,
  introduced: Introduced,
): string {
  if (from === undefined || to === undefined) return "";
  const [first, last] = [from.slice(0, 4), to.slice(0, 4)];
  if (isDataOver(introduced) || isQuiet(to, findUntil(introduced))) {
    const isMonth = from.slice(0, 7) === to.slice(0, 7);
    if (first !== last) return ` from ${first} to ${last}`;
    return ` in ${isMonth ? formatShortMonth(from) : first}`;
  }
  const isRecent = countDays(from, findUntil(introduced)) < 365;
  if (from.slice(0, 10) === to.slice(0, 10)) return ` in ${formatShortMonth(from)}`;
  return ` since ${isRecent ? formatShortMonth(from) : first}`;
}

/** Half the confidence comes from this many commits (docs/scoring.md). Four times as many make it high. */
const commitsForHigh = 80;

export interface Sureness {
  readonly level: "Medium" | "Low";
  readonly reason: string;
  /** What would make the figures surer. */
  readonly remedy: string;
}

/** Names how sure figures are, by their confidence. */
export function findSureness(confidence: number): "High" | "Medium" | "Low" {
  return confidence >= 0.8 ? "High" : confidence >= 0.5 ? "Medium" : "Low";
}

/** Explains why the figures about a person are not sure. Undefined if they are. */
export function explainSureness({
  confidence,
  activity: { totalCommits },
  profile: { derivedLogin },
}: Pick<ProfileAnalysis, "confidence" | "activity" | "profile">): Sureness | undefined {
  const level = findSureness(confidence);
  if (level === "High") return undefined;
  if (totalCommits < commitsForHigh) {
    const reason =
      totalCommits === 0 ? "no commits" : `only ${formatCounted(totalCommits, "commit")}`;
    const remedy = `Add ${totalCommits === 0 ? "the" : "more"} repositories they work in.`;
    return { level, reason, remedy };
  }
  const reason = derivedLogin ? "read from git only" : "their forge says little about them";
  const remedy = derivedLogin
    ? "Add a forge to learn accounts and places."
    : "Add a people file to learn places and teams.";
  return { level, reason, remedy };
}
