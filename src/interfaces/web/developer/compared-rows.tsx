/** The rows of a comparison, in sections. Rows with larger differences come first; rows without a difference come last. */
import { explainSureness } from "../../../contract/people/introduction.ts";
import { listNamedRoles, type ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import {
  formatActivity,
  formatAmount,
  formatCount,
  formatReadEnd,
  formatSpan,
  formatYears,
} from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { Share, Strength } from "../look/people.tsx";
import { scoreParts } from "./score-panel.tsx";
import type { SearchMatch } from "./search-match.tsx";

type People = readonly ProfileAnalysis[];

interface ComparedRow {
  readonly label: Children;
  /** Empty if nobody has it. */
  readonly cells: readonly Children[];
  readonly isSame: boolean;
}

/**
 * Compares people in sections. `absent` has the labels of rows that nobody has.
 * @param matches how each person matches the search in the address.
 */
export function compareInSections(people: People, matches: readonly (SearchMatch | undefined)[]) {
  const sections = [
    { title: "Score, of 100", rows: [...compareMatches(matches), ...compareScores(people)] },
    { title: "Skills, strength of 100", rows: compareSkills(people) },
    { title: "Languages, share of lines", rows: compareLanguages(people) },
    { title: "Activity", rows: compareActivity(people) },
    { title: "Experience", rows: compareExperience(people) },
  ];
  const isAlone = people.length === 1;
  const isKnown = ({ cells }: ComparedRow) => cells.length > 0;
  const all = sections.flatMap(({ rows }) => rows);
  const same = isAlone ? [] : all.filter((row) => row.isSame && isKnown(row));
  const shown = sections.map(({ title, rows }) => ({
    title,
    rows: rows.filter((row) => (isAlone || !row.isSame) && isKnown(row)),
  }));
  return {
    sections: [...shown, { title: "The same for all", rows: same }].filter(
      ({ rows }) => rows.length > 0,
    ),
    absent: all.filter((row) => !isKnown(row)).map(({ label }) => label),
  };
}

/** A row of numbers, one for each person. An unknown number is undefined. */
interface Measure {
  readonly label: Children;
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

function toRows(
  measures: readonly Measure[],
  show: (value: number, at: number) => Children,
  showUnknown: (at: number) => Children = () => "unknown",
): readonly ComparedRow[] {
  return measures.map(({ label, values }) => {
    if (!values.some(Boolean)) return { label, cells: [], isSame: true };
    const highest = Math.max(...values.filter((value) => value !== undefined));
    const isSame = new Set(values).size === 1;
    const cells = values.map((value, at) => {
      if (value === undefined) return <span class="muted">{showUnknown(at)}</span>;
      if (value === 0) return none;
      if (isSame || value < highest) return show(value, at);
      return (
        <strong class="highest">
          {show(value, at)}
          <span class="unseen"> highest</span>
        </strong>
      );
    });
    return { label, cells, isSame };
  });
}

const none = <span class="muted">none</span>;

/** Lists in one row what only one person has. Renders all other rows as `toRows` does. */
function foldOwn(
  measures: readonly Measure[],
  show: (value: number) => Children,
  format: (value: number) => string,
): readonly ComparedRow[] {
  const isOwn = ({ values }: Measure) => values.length > 1 && values.filter(Boolean).length === 1;
  const own = measures.filter(isOwn);
  const rows = toRows(
    measures.filter((one) => !isOwn(one)),
    show,
  );
  if (own.length === 0) return rows;
  const cells = own[0]?.values.map((_, at) => {
    const texts = own.flatMap(({ label, values: { [at]: value } }) =>
      value ? `${label} ${format(value)}` : [],
    );
    return texts.join(", ") || none;
  });
  return [...rows, { label: "Only theirs", cells: cells ?? [], isSame: false }];
}

const absentTexts = ["none", "unknown"];

function toTextRow(label: string, cells: readonly string[]): ComparedRow {
  const isKnown = cells.some((text) => !absentTexts.includes(text));
  return { label, cells: isKnown ? cells : [], isSame: new Set(cells).size === 1 };
}

const showScore = (value: number) => <Strength value={Math.round(value)} />;

function compareMatches(matches: readonly (SearchMatch | undefined)[]): readonly ComparedRow[] {
  const [first] = matches;
  if (!first) return [];
  const measure = (
    label: Children,
    read: (placing: NonNullable<SearchMatch["placing"]>) => number,
  ): Measure => ({ label, values: matches.map((one) => one?.placing && read(one.placing)) });
  const label = (
    <>
      Match for <a href={first.path}>{first.name}</a>
    </>
  );
  return toRows(
    [
      measure(label, ({ score }) => score),
      measure("Skills of the search", ({ techStack }) => techStack),
    ],
    showScore,
    (at) => matches[at]?.complaint ?? "not found",
  );
}

function compareScores(people: People): readonly ComparedRow[] {
  const parts = scoreParts.map(([label, part]) => ({
    label,
    values: people.map(({ scores }) => scores.scores[part]),
  }));
  const whole = { label: "Score", values: people.map(({ scores }) => scores.score) };
  return toRows([whole, ...parts.sort(byDifference)], showScore);
}

function compareActivity(people: People): readonly ComparedRow[] {
  const years = people.map(({ activity }) => activity.current);
  const spans = new Set(years.map((year) => year && formatSpan(year)));
  const [span = "last 12 months"] = spans.size === 1 ? spans : [];
  const best = people.map(({ activity }) => activity.bestYear);
  const counts: Measure = {
    label: "Commits, all years",
    values: people.map(({ activity }) => activity.totalCommits),
  };
  const recent: Measure = {
    label: `Commits, ${span}`,
    values: years.map((year) => year?.commits),
  };
  const bestYears = { label: "Commits in the best year", values: best.map((one) => one?.commits) };
  const ends = people.map(formatReadEnd);
  return [
    ...toRows([counts], formatCount),
    ...toRows([recent], formatAmount),
    ...toRows([bestYears], (value, at) => {
      const year = best[at];
      return `${formatAmount(value)}${year ? `, ${formatSpan(year)}` : ""}`;
    }),
    toTextRow(
      "Last active",
      people.map(({ activity, asOf }) => formatActivity(activity.lastCommit, asOf, activity.until)),
    ),
    ...(ends.some(Boolean) ? [toTextRow("Data ends", ends)] : []),
  ];
}

function compareExperience(people: People): readonly ComparedRow[] {
  const texts: readonly (readonly [label: string, read: (person: ProfileAnalysis) => string])[] = [
    ["Best role", (one) => listNamedRoles(one)[0]?.displayName ?? "none"],
    ["Level", ({ proficiency }) => proficiency.level],
    ["Place", ({ profile }) => profile.places[0] ?? profile.location ?? "unknown"],
    ["Commit messages", ({ commitQuality }) => commitQuality.label],
    [
      "How sure",
      (one) => {
        const sureness = explainSureness(one);
        return sureness ? `${sureness.level}: ${sureness.reason}` : "High";
      },
    ],
  ];
  const years = people.map(({ proficiency }) => proficiency.experienceYears);
  return [
    ...toRows([{ label: "Experience", values: years }], formatYears),
    ...texts.map(([label, read]) => toTextRow(label, people.map(read))),
  ];
}

const languagesMax = 6;

function compareLanguages(people: People): readonly ComparedRow[] {
  const shares = people.map(
    ({ repositories }) =>
      new Map(repositories.languages.map((one) => [one.language, Math.round(100 * one.share)])),
  );
  const names = new Set(shares.flatMap((one) => [...one.keys()]));
  const most = ({ values }: Measure) => Math.max(...values.map((value) => value ?? 0));
  const measures = [...names]
    .map((label) => ({ label, values: shares.map((one) => one.get(label) ?? 0) }))
    .sort((a, b) => most(b) - most(a))
    .slice(0, languagesMax)
    .sort(byDifference);
  const format = (value: number) => `${value} %`;
  return foldOwn(measures, (value) => <Share share={value / 100} largest={1} />, format);
}

const skillsMax = 12;

/** Compares the strongest skills of each person. The skills with the largest differences are shown. */
function compareSkills(people: People): readonly ComparedRow[] {
  const strengths = people.map(
    ({ repositories }) => new Map(repositories.skills.map((one) => [one.skill, one.strength])),
  );
  const strongest = people.flatMap(({ repositories }) => repositories.skills.slice(0, 8));
  const measures = [...new Set(strongest.map(({ skill }) => skill))]
    .map((label) => ({ label, values: strengths.map((one) => one.get(label) ?? 0) }))
    .sort(byDifference)
    .slice(0, skillsMax);
  return foldOwn(measures, showScore, String);
}
