/** Shows in which years a person used each of their strongest skills. */
import type { Evidence, Facts } from "../../../contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { listSkillsByWork } from "../look/figures.ts";
import { formatCount } from "../look/format.ts";
import type { DeveloperProperties } from "./about-sections.tsx";

type Skill = ProfileAnalysis["repositories"]["skills"][number];

const skillsMax = 8;
/** The most years that fit on a phone. Commits of earlier years are added to the first year. */
const yearsMax = 24;

/** Lists months in which a skill was used, each with a number of commits. */
export function listSkillMonths(
  { skill, evidence: lines }: Pick<Skill, "skill" | "evidence">,
  evidence: Facts["evidence"],
): readonly (readonly [month: string, commits: number])[] {
  const texts = lines.map((line) => `${line.replaceAll(",", "")} `);
  const isNamed = ({ name }: Evidence) => {
    const named = name.replace(/^repository:/, "");
    return named === skill || texts.some((text) => text.includes(` ${named} `));
  };
  return evidence.filter(isNamed).flatMap(({ months }) => Object.entries(months));
}

/** Shows the years of the skills with most work and of the strongest. Renders nothing if no skill has evidence with a date. */
export function SkillYears({ analysis, facts }: DeveloperProperties) {
  const asOf = Number(analysis.asOf.slice(0, 4));
  const skills = listSkillsByWork(analysis)
    .map((skill) => ({ skill: skill.skill, years: sumYears(skill, facts?.evidence ?? [], asOf) }))
    .filter(({ years }) => years.size > 0)
    .slice(0, skillsMax);
  if (skills.length === 0) return undefined;
  const all = skills.flatMap(({ years }) => [...years.keys()]);
  const last = Math.max(...all);
  const first = Math.max(Math.min(...all), last - yearsMax + 1);
  return (
    <figure class="skill-years">
      <ul>
        {skills.map(({ skill, years }) => (
          <li>
            <span class="skill-name">
              <bdi>{skill}</bdi>
            </span>
            <Strip skill={skill} years={years} first={first} last={last} />
            <span class="small muted number skill-span">{formatYears([...years.keys()])}</span>
          </li>
        ))}
        <li aria-hidden="true">
          <Axis first={first} last={last} />
        </li>
      </ul>
      <figcaption class="small muted">
        When each skill was used. A stronger tint means more of its commits.
      </figcaption>
    </figure>
  );
}

function sumYears(skill: Skill, evidence: Facts["evidence"], asOf: number) {
  const years = new Map<number, number>();
  for (const [month, commits] of listSkillMonths(skill, evidence)) {
    const year = Number(month.slice(0, 4));
    if (commits > 0 && year <= asOf) years.set(year, (years.get(year) ?? 0) + commits);
  }
  return years;
}

function formatYears(years: readonly number[]): string {
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return first === last ? String(first) : `${first} to ${last}`;
}

interface StripProperties {
  readonly skill: string;
  readonly years: ReadonlyMap<number, number>;
  readonly first: number;
  readonly last: number;
}

/** Draws a cell for each year. The tint of the cell shows the number of commits, compared with the busiest year. */
function Strip({ skill, years, first, last }: StripProperties) {
  const most = Math.max(...years.values());
  const busiest = [...years].find(([, commits]) => commits === most)?.[0];
  const words = `${skill}: ${formatYears([...years.keys()])}, in ${years.size} of ${last - first + 1} years; most in ${busiest}.`;
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
            <title>{`${year}: ${formatCount(Math.round(commits))} commits`}</title>
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
