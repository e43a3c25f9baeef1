/** Shows what a person works with: each skill's years as a picture, how much work it was, and its strength. */
import type { Evidence, Facts } from "../../../contract/people/facts.ts";
import { type ProfileAnalysis, readCommits } from "../../../contract/people/profile-analysis.ts";
import { formatCounted, formatSpan, listSkillsByWork } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { EmptyState, Fold, Panel } from "../look/parts.tsx";
import { Strength } from "../look/people.tsx";
import type { DeveloperProperties } from "./about-sections.tsx";

type Skill = ProfileAnalysis["repositories"]["skills"][number];

const skillsMax = 8;
/** The most years that fit on a phone. Commits of earlier years are added to the first year. */
const yearsMax = 24;

export function listSkillMonths(
  { skill, evidence: lines }: Pick<Skill, "skill" | "evidence">,
  evidence: Facts["evidence"],
): readonly (readonly [month: string, commits: number])[] {
  const texts = lines.map((line) => `${line.replaceAll(",", "")} `);
  // Lines of evidence name repositories too, so the product of a repository must have the name of the skill.
  const isNamed = ({ name }: Evidence) =>
    name.replace(/^repository:/, "") === skill ||
    (!name.startsWith("repository:") && texts.some((text) => text.includes(` ${name} `)));
  const months = new Map<string, number>();
  // Pieces of evidence share commits, so the largest piece of a month counts.
  for (const piece of evidence.filter(isNamed))
    for (const [month, commits] of Object.entries(piece.months))
      months.set(month, Math.max(commits, months.get(month) ?? 0));
  return [...months];
}

export function WorksWith({ analysis, facts }: DeveloperProperties) {
  const { skills } = analysis.repositories;
  const kinds = [...Map.groupBy(skills, ({ type }) => type)];
  const evidence = facts?.evidence ?? [];
  return (
    <Panel title="Works with" id="skills">
      {skills.length === 0 ? (
        <EmptyState>No skill with evidence is known.</EmptyState>
      ) : (
        <>
          <SkillYears analysis={analysis} evidence={evidence} />
          <Fold label={`All ${formatCounted(skills.length, "skill")}, with evidence`}>
            <DataTable
              class="small stacked skills"
              columns={[
                ["Skill", ({ skill }) => <strong>{skill}</strong>],
                ["Kind", ({ type }) => type, "muted"],
                ["Strength", ({ strength }) => <Strength value={strength} />],
                ["Evidence", ({ evidence }) => evidence.join("; "), "free"],
                ["When", (skill) => findMonths(skill, evidence), "wide whole"],
              ]}
              rows={kinds.flatMap(([, ofKind]) => ofKind)}
            />
          </Fold>
        </>
      )}
    </Panel>
  );
}

type SkillYearsProperties = Pick<DeveloperProperties, "analysis"> & Pick<Facts, "evidence">;

function SkillYears({ analysis, evidence }: SkillYearsProperties) {
  const asOf = Number(analysis.asOf.slice(0, 4));
  const known = listSkillsByWork(analysis).map((skill) => ({
    ...skill,
    years: sumYears(skill, evidence, asOf),
  }));
  const worked = known.filter(
    ({ years, evidence: [most = ""] }) => years.size > 0 || readCommits(most),
  );
  const skills = (worked.length > 0 ? worked : known).slice(0, skillsMax);
  const all = skills.flatMap(({ years }) => [...years.keys()]);
  const last = Math.max(...all);
  const from = Math.min(...all);
  const span = { from, first: Math.max(from, last - yearsMax + 1), last };
  return (
    <figure class="skill-years">
      <ul>
        {skills.map(({ years, ...one }) => (
          <li>
            <bdi class="skill-name">{one.skill}</bdi>
            {years.size > 0 ? <Strip skill={one.skill} years={years} {...span} /> : <span />}
            <span class="small muted skill-work">{describeWork(one, years, analysis)}</span>
            <span class="number score">{one.strength}</span>
          </li>
        ))}
        {all.length > 0 && (
          <li aria-hidden="true">
            <Axis {...span} />
          </li>
        )}
      </ul>
      <figcaption class="small muted">
        The number is the strength, of 100. The stronger the color, the more commits that year.
      </figcaption>
    </figure>
  );
}

/** Writes `236,000 lines, 2018 to 2026`, or `298 commits` if no lines and no years are known. */
function describeWork(
  { skill, evidence: [most = ""] }: Skill,
  years: ReadonlyMap<number, number>,
  { repositories: { languages } }: ProfileAnalysis,
): string {
  const lines = languages.find(({ language }) => language === skill)?.lines ?? 0;
  const commits = readCommits(most);
  const amount =
    lines > 0
      ? formatCounted(Number(lines.toPrecision(3)), "line")
      : commits && `${commits} ${commits === "1" ? "commit" : "commits"}`;
  return [amount, years.size > 0 && formatSpanOfYears([...years.keys()])]
    .filter(Boolean)
    .join(", ");
}

function sumYears(skill: Skill, evidence: Facts["evidence"], asOf: number) {
  const years = new Map<number, number>();
  for (const [month, commits] of listSkillMonths(skill, evidence)) {
    const year = Number(month.slice(0, 4));
    if (commits > 0 && year <= asOf) years.set(year, (years.get(year) ?? 0) + commits);
  }
  return years;
}

function formatSpanOfYears(years: readonly number[]): string {
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return first === last ? String(first) : `${first} to ${last}`;
}

interface StripProperties {
  readonly skill: string;
  readonly years: ReadonlyMap<number, number>;
  /** The first year of any skill. The commits before the year `first` are drawn in that year. */
  readonly from: number;
  readonly first: number;
  readonly last: number;
}

/** Draws a cell for each year. The tint of the cell shows the number of commits, compared with the busiest year. */
function Strip({ skill, years, from, first, last }: StripProperties) {
  const most = Math.max(...years.values());
  const busiest = [...years].find(([, commits]) => commits === most)?.[0];
  const words = `${skill}: ${formatSpanOfYears([...years.keys()])}, in ${years.size} of ${last - from + 1} years; most in ${busiest}.`;
  return (
    <svg
      class="skill-strip"
      viewBox={`0 0 ${last - first + 1} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      {Array.from({ length: last - first + 1 }, (_, at) => {
        const year = first + at;
        const commits = at === 0 ? sumUntil(years, first) : (years.get(year) ?? 0);
        const tint = Math.min(4, Math.ceil((commits / most) * 4));
        return (
          <rect class={`tint-${tint}`} x={at + 0.04} width="0.92" height="10">
            <title>{`${at === 0 && from < first ? `Until ${year}` : year}: ${formatCounted(Math.round(commits), "commit")}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

const sumUntil = (years: ReadonlyMap<number, number>, last: number) =>
  [...years].reduce((sum, [year, commits]) => (year <= last ? sum + commits : sum), 0);

/** Labels the last year and some earlier years, at most six. The labels are at equal distances. */
function Axis({ first, last }: Pick<StripProperties, "first" | "last">) {
  const length = last - first + 1;
  const step = Math.ceil(length / 6);
  const years = Array.from({ length }, (_, at) => last - at).filter((_, at) => at % step === 0);
  return (
    <svg class="skill-axis" height="16" aria-hidden="true">
      {years.map((year) => (
        <text
          class="chart-label chart-middle"
          x={`${(100 * (year - first + 0.5)) / length}%`}
          y="12"
        >
          {year}
        </text>
      ))}
    </svg>
  );
}

/** Formats the first and last month in which a skill was used; empty if no evidence of the skill has a date. */
function findMonths(skill: Skill, evidence: Facts["evidence"]): string {
  const months = listSkillMonths(skill, evidence)
    .map(([month]) => month)
    .sort();
  const [from = "", to = from] = [months[0], months.at(-1)];
  return from && formatSpan({ from, to });
}
