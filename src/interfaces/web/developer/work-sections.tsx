import type { Evidence, Facts } from "../../../contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { formatCount, formatShortMonth } from "../look/format.ts";
import { EmptyState, Panel } from "../look/parts.tsx";
import { Bar } from "../look/people.tsx";
import type { DeveloperProperties } from "./developer-properties.ts";

type Skill = ProfileAnalysis["repositories"]["skills"][number];

interface SkillsProperties extends DeveloperProperties {
  /** The one kind to show; empty or unknown: all. */
  readonly kind: string;
}

/** Skills, strongest first, each with what speaks for it and when. */
export function Skills({ analysis, facts, kind }: SkillsProperties) {
  const { skills } = analysis.repositories;
  const ofKind = skills.filter(({ type }) => type === kind);
  const isFiltered = ofKind.length > 0;
  return (
    <section class="card" id="skills" aria-labelledby="skills-title">
      <h2 id="skills-title">Skills</h2>
      <Kinds analysis={analysis} chosen={isFiltered ? kind : ""} />
      {skills.length === 0 ? (
        <EmptyState>No skill with evidence is known.</EmptyState>
      ) : (
        <table class="small stacked skills">
          <thead>
            <tr>
              <th scope="col">Skill</th>
              <th scope="col" class="wide">
                Kind
              </th>
              <th scope="col">Strength</th>
              <th scope="col">Evidence</th>
              <th scope="col" class="wide">
                When
              </th>
            </tr>
          </thead>
          <tbody>
            {(isFiltered ? ofKind : skills).map((skill) => (
              <SkillRow skill={skill} when={findMonths(skill, facts?.evidence ?? [])} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

interface KindsProperties extends Pick<DeveloperProperties, "analysis"> {
  readonly chosen: string;
}

/** The most frequent first; nothing where all skills are of one kind. */
function Kinds({ analysis: { profile, repositories }, chosen }: KindsProperties) {
  const counts = new Map<string, number>();
  for (const { type } of repositories.skills) counts.set(type, (counts.get(type) ?? 0) + 1);
  if (counts.size < 2) return undefined;
  const path = `/developers/${encodeURIComponent(profile.login)}`;
  const kinds = [...counts].sort(([, a], [, b]) => b - a);
  return (
    <nav class="contents small" aria-label="Kinds of skills">
      <ul>
        {[["", repositories.skills.length] as const, ...kinds].map(([kind, count]) => (
          <li>
            <a
              href={`${path}${kind && `?${new URLSearchParams({ kind })}`}#skills`}
              aria-current={kind === chosen ? "true" : undefined}
            >
              {kind || "all"} ({count})
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SkillRow({ skill, when }: { readonly skill: Skill; readonly when: string }) {
  return (
    <tr>
      <th scope="row">
        <strong>{skill.skill}</strong>
      </th>
      <td class="wide muted">{skill.type}</td>
      <td>
        <span class="strength">
          <Bar value={skill.strength} /> <span class="number">{skill.strength}</span>
        </span>
      </td>
      <td class="free">{skill.evidence.join("; ")}</td>
      <td class="wide whole">{when}</td>
    </tr>
  );
}

/** The months of the facts that the evidence of a skill names; empty when it names none with a date. */
function findMonths({ evidence: lines }: Skill, evidence: Facts["evidence"]): string {
  const isNamed = ({ name }: Evidence) =>
    lines.some((line) => line.endsWith(` ${name}`) || line.includes(` ${name} `));
  const months = evidence.filter(isNamed).flatMap((one) => Object.keys(one.months));
  if (months.length === 0) return "";
  const [first = "", last = ""] = [months.reduce(min), months.reduce(max)];
  return first === last
    ? formatShortMonth(first)
    : `${formatShortMonth(first)} to ${formatShortMonth(last)}`;
}

const min = (a: string, b: string) => (a < b ? a : b);
const max = (a: string, b: string) => (a > b ? a : b);

export function Languages({ analysis }: Pick<DeveloperProperties, "analysis">) {
  const { languages } = analysis.repositories;
  return (
    <Panel title="Languages">
      {languages.length === 0 ? (
        <EmptyState>No lines of code are known.</EmptyState>
      ) : (
        <table class="small">
          <thead>
            <tr>
              <th scope="col">Language</th>
              <th scope="col">Share of lines</th>
              <th scope="col" class="number">
                Commits
              </th>
            </tr>
          </thead>
          <tbody>
            {languages.map(({ language, share, commits }) => (
              <tr>
                <th scope="row">{language}</th>
                <td>
                  <span class="strength">
                    <Bar value={share * 100} />{" "}
                    <span class="number">{Math.round(share * 100)} %</span>
                  </span>
                </td>
                <td class="number">{formatCount(commits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

/** Own ones and those of others in one table, as facts have them; tiers as the analysis judged them. */
export function Repositories({ analysis, facts }: DeveloperProperties) {
  const { owned, contributedTo, contributions } = analysis.repositories;
  const tiers = new Map(contributions.map((one) => [one.repository, one.tier_label]));
  const known = (facts?.repositories ?? [])
    .slice()
    .sort((a, b) => (b.commits ?? 0) - (a.commits ?? 0));
  const shown = known.slice(0, shownMax);
  return (
    <section class="card" id="repositories" aria-labelledby="repositories-title">
      <h2 id="repositories-title">Repositories</h2>
      <p class="muted">
        {formatCount(owned)} of their own, {formatCount(contributedTo)} of others
        {known.length > shown.length && `; those with the most commits are shown`}
      </p>
      {shown.length > 0 && (
        <table class="small">
          <thead>
            <tr>
              <th scope="col">Repository</th>
              <th scope="col">Part in it</th>
              <th scope="col" class="number">
                Commits
              </th>
              <th scope="col" class="wide">
                When
              </th>
              <th scope="col" class="wide">
                Language
              </th>
              <th scope="col" class="number wide">
                Stars
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((repository) => (
              <RepositoryRow repository={repository} tier={tiers.get(repository.name)} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const shownMax = 20;

interface RepositoryRowProperties {
  readonly repository: Facts["repositories"][number];
  readonly tier: string | undefined;
}

function RepositoryRow({ repository, tier }: RepositoryRowProperties) {
  const { name, owned, commits, firstCommit, lastCommit, language, stars, fork } = repository;
  const part = owned ? (fork ? "own fork" : "own") : "contributes";
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {part}
        {tier && <span class="muted"> · {tier}</span>}
      </td>
      <td class="number">{commits === undefined ? "" : formatCount(commits)}</td>
      <td class="wide whole">
        {firstCommit && lastCommit
          ? `${formatShortMonth(firstCommit)} to ${formatShortMonth(lastCommit)}`
          : ""}
      </td>
      <td class="wide">{language}</td>
      <td class="number wide">{stars === undefined ? "" : formatCount(stars)}</td>
    </tr>
  );
}
