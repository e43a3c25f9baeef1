/** The rows of a comparison, in sections. Rows with larger differences come first. */
import { formatRole, type ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import {
  explainConfidence,
  formatAmount,
  formatCommits,
  formatConfidence,
  formatReadEnd,
} from "../look/figures.ts";
import { formatActivity, formatCount, formatShortMonth, formatSpan } from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { Share, Strength } from "../look/people.tsx";
import { Plot } from "./month-chart.tsx";
import { listMatchRows, type SearchMatch } from "./search-match.tsx";

type People = readonly ProfileAnalysis[];

export interface ComparedSection {
  readonly title: string;
  readonly rows: readonly ComparedRow[];
}

interface ComparedRow {
  readonly label: Children;
  readonly cells: readonly Children[];
}

/** @param matches how each person matches the search in the address. */
export function compareInSections(
  people: People,
  matches: readonly (SearchMatch | undefined)[],
): readonly ComparedSection[] {
  const sections = [
    { title: "Score", rows: [...listMatchRows(matches), ...compareScores(people)] },
    { title: "Activity", rows: compareActivity(people) },
    { title: "Experience", rows: compareExperience(people) },
    { title: "Languages, by share of lines", rows: compareLanguages(people) },
    ...compareSkills(people),
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

/** A row of numbers, one for each person. An unknown number is undefined. */
interface Measure {
  readonly label: string;
  readonly values: readonly (number | undefined)[];
}

/** Orders rows by the difference between the highest and the lowest number. The largest difference comes first. */
function byDifference(a: Measure, b: Measure): number {
  const spread = ({ values }: Measure) => {
    const known = values.map((value) => value ?? 0);
    return Math.max(...known) - Math.min(...known);
  };
  return spread(b) - spread(a);
}

/** Renders the numbers of a row, and marks the highest unless all are equal. */
function toRow(
  { label, values }: Measure,
  show: (value: number, at: number) => Children,
): ComparedRow {
  const known = values.filter((value) => value !== undefined);
  const highest = Math.max(...known);
  const isMarked = new Set(values).size > 1;
  const cells = values.map((value, at) => {
    if (value === undefined) return "unknown";
    if (!isMarked || value < highest) return show(value, at);
    return (
      <span class="highest">
        {show(value, at)} <span aria-hidden="true">▲</span>
        <span class="unseen">highest</span>
      </span>
    );
  });
  return { label, cells };
}

const showStrength = (value: number) => <Strength value={value} />;

function compareScores(people: People): readonly ComparedRow[] {
  const measure = (label: string, read: (person: ProfileAnalysis) => number): Measure => ({
    label,
    values: people.map(read),
  });
  const parts = [
    measure("Profile", ({ scores }) => scores.scores.profile),
    measure("Tech stack", ({ scores }) => scores.scores.techStack),
    measure("Activity", ({ scores }) => scores.scores.activity),
  ];
  return [
    measure("Overall score, for the best role", ({ scores }) => scores.score),
    ...parts.sort(byDifference),
  ].map((one) => toRow(one, showStrength));
}

function compareActivity(people: People): readonly ComparedRow[] {
  const most = Math.max(
    ...people.flatMap(({ activity }) => activity.months.map(({ commits }) => commits)),
  );
  const rows: ComparedRow[] = [
    toRow(
      {
        label: "Counted commits, all years",
        values: people.map(({ activity }) => activity.totalCommits),
      },
      formatCount,
    ),
    toRow(
      {
        label: "Commits a month, on average",
        values: people.map(({ activity }) => activity.commitsPerMonth),
      },
      formatAmount,
    ),
    toRow(
      {
        label: "Commits in the best year",
        values: people.map(({ activity: { bestYear } }) => bestYear?.commits),
      },
      (commits, at) => {
        const year = people[at]?.activity.bestYear;
        return `${formatAmount(commits)}${year ? `, ${formatSpan(year)}` : ""}`;
      },
    ),
    {
      label: "Last active",
      cells: people.map(({ activity, asOf }) =>
        formatActivity(activity.lastCommit, asOf, activity.until),
      ),
    },
  ];
  if (most > 0) {
    const cells = people.map((person) => <Sparkline person={person} most={most} />);
    rows.unshift({ label: "Commits by month", cells });
  }
  const ends = people.map(formatReadEnd);
  if (ends.some(Boolean)) rows.push({ label: "What was read ends", cells: ends });
  return rows;
}

interface SparklineProperties {
  readonly person: ProfileAnalysis;
  /** The number of commits at the top of the chart. It is the same for all people. */
  readonly most: number;
}

/** A small chart of the last 36 months. */
function Sparkline({ person: { activity }, most }: SparklineProperties) {
  const { months } = activity;
  const [first, last] = [months[0], months.at(-1)];
  if (!first || !last) return undefined;
  const span = { from: first.month, to: last.month };
  const commits = months.map((one) => one.commits);
  const own = Math.max(...commits);
  const busiest = months.find((one) => one.commits === own)?.month ?? "";
  const words =
    own === 0
      ? `No commits ${formatSpan(span)}.`
      : `Commits by month, ${formatSpan(span)}; most in ${formatShortMonth(busiest)}: ${formatCommits(own)}.`;
  return (
    <>
      <svg class="sparkline" role="img" aria-label={words}>
        <Plot history={{ ...span, commits }} height="100%" most={most} />
      </svg>
      <span class="small muted">{formatSpan(span)}</span>
    </>
  );
}

function compareExperience(people: People): readonly ComparedRow[] {
  const texts: readonly (readonly [label: string, read: (person: ProfileAnalysis) => string])[] = [
    ["Level", ({ proficiency }) => proficiency.level],
    ["Best role", ({ roleMatch: [best] }) => (best ? formatRole(best) : "none")],
    ["Where", ({ profile }) => profile.places[0] ?? profile.location ?? "unknown"],
    ["Commit messages", ({ commitQuality }) => commitQuality.label],
    ["Confidence", (one) => `${formatConfidence(one)}: ${explainConfidence(one)}`],
  ];
  const read = texts.map(([label, readOne]) => ({ label, cells: people.map(readOne) }));
  const isDifferent = ({ cells }: ComparedRow) => new Set(cells).size > 1;
  const years = people.map(({ proficiency }) => proficiency.experienceYears);
  return [
    toRow({ label: "Years of experience", values: years }, String),
    ...read.filter(isDifferent),
    ...read.filter((row) => !isDifferent(row)),
  ];
}

const languagesMax = 6;

/** Compares the shares of the most used languages, in whole percent. */
function compareLanguages(people: People): readonly ComparedRow[] {
  const shares = people.map(
    ({ repositories }) =>
      new Map(repositories.languages.map((one) => [one.language, Math.round(100 * one.share)])),
  );
  const names = new Set(shares.flatMap((one) => [...one.keys()]));
  const most = ({ values }: Measure) => Math.max(...values.map((value) => value ?? 0));
  return [...names]
    .map((label) => ({ label, values: shares.map((one) => one.get(label) ?? 0) }))
    .sort((a, b) => most(b) - most(a))
    .slice(0, languagesMax)
    .sort(byDifference)
    .map((one) => toRow(one, (value) => <Share share={value / 100} largest={1} />));
}

const skillsMax = 14;

/** Compares the strongest skills of each person. The skills with the largest differences are shown. */
function compareSkills(people: People): readonly ComparedSection[] {
  const strongest = people.flatMap(({ repositories }) => repositories.skills.slice(0, 8));
  const kinds = new Map(strongest.map(({ skill, type }) => [skill, type]));
  const strengths = people.map(
    ({ repositories }) => new Map(repositories.skills.map((one) => [one.skill, one.strength])),
  );
  const measures = [...kinds]
    .map(([label, kind]) => ({ label, kind, values: strengths.map((one) => one.get(label) ?? 0) }))
    .sort(byDifference)
    .slice(0, skillsMax);
  return [...Map.groupBy(measures, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    title: `Skills: ${kindTitles[kind]}`,
    rows: ofKind.map((one) => toRow(one, showStrength)),
  }));
}

const kindTitles: Readonly<
  Record<ProfileAnalysis["repositories"]["skills"][number]["type"], string>
> = {
  ...{ language: "languages", framework: "frameworks", library: "libraries" },
  ...{ platform: "platforms", tool: "tools", domain: "domains" },
};
