import type { Facts } from "../../../contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { formatEvidence } from "../look/figures.ts";
import { formatCount, formatShortMonth, formatSpan } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { List, Panel } from "../look/parts.tsx";
import { formatDeveloperPath, Share, Strength } from "../look/people.tsx";
import type { DeveloperProperties } from "./about-sections.tsx";
import { listSkillMonths, SkillYears } from "./skill-years.tsx";

type Skill = ProfileAnalysis["repositories"]["skills"][number];

export interface SkillsProperties extends DeveloperProperties {
  /** The kind of skills to show. An empty or unknown kind means all kinds. */
  readonly kind: string;
  /** The query of the search from which the page was opened. Empty if the page was not opened from a search. */
  readonly query: string;
}

export function Skills({ analysis, facts, kind, query }: SkillsProperties) {
  const { skills } = analysis.repositories;
  const ofKind = skills.filter(({ type }) => type === kind);
  const isFiltered = ofKind.length > 0;
  return (
    <Panel title="Skills" id="skills">
      <SkillYears analysis={analysis} facts={facts} />
      <details class="folded" open={isFiltered}>
        <summary>All {formatCount(skills.length)} skills, with their evidence</summary>
        <div class="folded-body">
          <Kinds analysis={analysis} chosen={isFiltered ? kind : ""} query={query} />
          <DataTable
            class="small stacked skills"
            columns={[
              ["Skill", ({ skill }) => <strong>{skill}</strong>],
              ["Kind", ({ type }) => type, "wide muted"],
              ["Strength", ({ strength }) => <Strength value={strength} />],
              ["Evidence", ({ evidence }) => evidence.map(formatEvidence).join("; "), "free"],
              ["When", (skill) => findMonths(skill, facts?.evidence ?? []), "wide whole"],
            ]}
            rows={isFiltered ? ofKind : skills}
            empty="No skill with evidence is known."
          />
        </div>
      </details>
    </Panel>
  );
}

interface KindsProperties extends Pick<SkillsProperties, "analysis" | "query"> {
  readonly chosen: string;
}

/** Links that show one kind of skills, the most frequent kind first. Renders nothing if all skills are of one kind. */
function Kinds({ analysis: { profile, repositories }, chosen, query }: KindsProperties) {
  const ofKinds = Map.groupBy(repositories.skills, ({ type }) => type);
  if (ofKinds.size < 2) return undefined;
  const pathTo = (kind: string) => {
    const chosenKind = kind && new URLSearchParams({ kind }).toString();
    return formatDeveloperPath(profile.login, "", [query, chosenKind].filter(Boolean).join("&"));
  };
  const counts = [...ofKinds].map(([kind, skills]) => [kind, skills.length] as const);
  const kinds = counts.sort(([, a], [, b]) => b - a);
  return (
    <nav class="contents small" aria-label="Kinds of skills">
      <List
        items={[["", repositories.skills.length] as const, ...kinds].map(([kind, count]) => (
          <a href={`${pathTo(kind)}#skills`} aria-current={kind === chosen ? "true" : undefined}>
            {kind || "all"} ({count})
          </a>
        ))}
      />
    </nav>
  );
}

/** Formats the first and last month in which a skill was used; empty if no evidence of the skill has a date. */
function findMonths(skill: Skill, evidence: Facts["evidence"]): string {
  const months = listSkillMonths(skill, evidence).map(([month]) => month);
  const [from, to = from] = [months.toSorted()[0], months.toSorted().at(-1)];
  if (from === undefined || to === undefined) return "";
  return from === to ? formatShortMonth(from) : formatSpan({ from, to });
}

const languagesMax = 8;

/** Shows languages by share of lines. The largest share fills the bar, so that small shares can be told apart. */
export function Languages({ analysis }: Pick<DeveloperProperties, "analysis">) {
  const { languages } = analysis.repositories;
  const largest = Math.max(0, ...languages.map(({ share }) => share));
  const shown = languages.slice(0, languagesMax);
  const others = languages.slice(languagesMax);
  return (
    <Panel title="Languages" id="languages">
      <DataTable
        class="small languages"
        scrolls="Languages by lines"
        columns={[
          ["Language", ({ language }) => language],
          ["Share of lines", ({ share }) => <Share share={share} largest={largest} />],
          ["Commits with it", ({ commits }) => formatCount(commits), "number wide"],
        ]}
        rows={shown}
        empty="No lines of code are known."
      />
      {others.length > 0 && (
        <p class="small muted">
          And {others.map(({ language, share }) => `${language} ${formatLines(share)}`).join(", ")}
        </p>
      )}
      {shown.length > 1 && <p class="small muted">The longest bar is {formatLines(largest)}.</p>}
    </Panel>
  );
}

/** Formats a share of lines as `62 %` or `under 1 %`. */
const formatLines = (share: number) =>
  share > 0 && share < 0.01 ? "under 1 %" : `${Math.round(100 * share)} %`;
