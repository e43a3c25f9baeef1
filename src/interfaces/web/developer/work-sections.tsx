import type { Evidence, Facts } from "../../../contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { DataTable } from "../look/data-table.tsx";
import { formatCount, formatShortMonth } from "../look/format.ts";
import { List, Panel } from "../look/parts.tsx";
import { formatDeveloperPath, Strength } from "../look/people.tsx";
import type { DeveloperProperties } from "./developer-properties.ts";

type Skill = ProfileAnalysis["repositories"]["skills"][number];

interface SkillsProperties extends DeveloperProperties {
  /** The kind of skills to show; if empty or unknown, all kinds. */
  readonly kind: string;
}

/** Skills, strongest first, each with its evidence and months. */
export function Skills({ analysis, facts, kind }: SkillsProperties) {
  const { skills } = analysis.repositories;
  const ofKind = skills.filter(({ type }) => type === kind);
  const isFiltered = ofKind.length > 0;
  return (
    <Panel title="Skills" id="skills">
      <Kinds analysis={analysis} chosen={isFiltered ? kind : ""} />
      <DataTable
        class="small stacked skills"
        columns={[
          ["Skill", ({ skill }) => <strong>{skill}</strong>],
          ["Kind", ({ type }) => type, "wide muted"],
          ["Strength", ({ strength }) => <Strength value={strength} />],
          ["Evidence", ({ evidence }) => evidence.join("; "), "free"],
          ["When", (skill) => findMonths(skill, facts?.evidence ?? []), "wide whole"],
        ]}
        rows={isFiltered ? ofKind : skills}
        empty="No skill with evidence is known."
      />
    </Panel>
  );
}

interface KindsProperties extends Pick<DeveloperProperties, "analysis"> {
  readonly chosen: string;
}

/** Links to the kinds of skills, the most frequent first. Renders nothing if all skills are of one kind. */
function Kinds({ analysis: { profile, repositories }, chosen }: KindsProperties) {
  const counts = new Map<string, number>();
  for (const { type } of repositories.skills) counts.set(type, (counts.get(type) ?? 0) + 1);
  if (counts.size < 2) return undefined;
  const path = formatDeveloperPath(profile.login);
  const kinds = [...counts].sort(([, a], [, b]) => b - a);
  return (
    <nav class="contents small" aria-label="Kinds of skills">
      <List
        items={[["", repositories.skills.length] as const, ...kinds].map(([kind, count]) => (
          <a
            href={`${path}${kind && `?${new URLSearchParams({ kind })}`}#skills`}
            aria-current={kind === chosen ? "true" : undefined}
          >
            {kind || "all"} ({count})
          </a>
        ))}
      />
    </nav>
  );
}

/** The months of the facts that the evidence of a skill names; empty if none has a date. */
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
      <DataTable
        class="small"
        columns={[
          ["Language", ({ language }) => language],
          ["Share of lines", ({ share }) => <Strength value={share * 100} unit="%" />],
          ["Commits", ({ commits }) => formatCount(commits), "number"],
        ]}
        rows={languages}
        empty="No lines of code are known."
      />
    </Panel>
  );
}

/** Repositories of the person and of others in one table, from the facts; the tiers are from the analysis. */
export function Repositories({ analysis, facts }: DeveloperProperties) {
  const { owned, contributedTo, contributions } = analysis.repositories;
  const tiers = new Map(contributions.map((one) => [one.repository, one.tier_label]));
  const known = (facts?.repositories ?? [])
    .slice()
    .sort((a, b) => (b.commits ?? 0) - (a.commits ?? 0));
  const shown = known.slice(0, shownMax);
  return (
    <Panel title="Repositories" id="repositories">
      <p class="muted">
        {formatCount(owned)} of their own, {formatCount(contributedTo)} of others
        {known.length > shown.length && `; those with the most commits are shown`}
      </p>
      {shown.length > 0 && (
        <DataTable
          class="small"
          columns={[
            ["Repository", ({ name }) => name],
            [
              "Part in it",
              (one) => <PartInRepository repository={one} tier={tiers.get(one.name)} />,
            ],
            ["Commits", ({ commits }) => commits !== undefined && formatCount(commits), "number"],
            [
              "When",
              ({ firstCommit, lastCommit }) =>
                firstCommit &&
                lastCommit &&
                `${formatShortMonth(firstCommit)} to ${formatShortMonth(lastCommit)}`,
              "wide whole",
            ],
            ["Language", ({ language }) => language, "wide"],
            ["Stars", ({ stars }) => stars !== undefined && formatCount(stars), "number wide"],
          ]}
          rows={shown}
        />
      )}
    </Panel>
  );
}

const shownMax = 20;

interface PartProperties {
  readonly repository: Facts["repositories"][number];
  readonly tier: string | undefined;
}

function PartInRepository({ repository: { owned, fork }, tier }: PartProperties) {
  return (
    <>
      {owned ? (fork ? "own fork" : "own") : "contributes"}
      {tier && <span class="muted"> · {tier}</span>}
    </>
  );
}
