/** Explains how a person matches the search from which the person's page was opened. This costs no call. */
import { askedWeights, overallWeights } from "../../../contract/people/developer.ts";
import { listNamedRoles, type ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { readInput } from "../../../contract/read.ts";
import { SearchRequest } from "../../../contract/requests.ts";
import type { ComputingModules } from "../calls.ts";
import { formatCount, formatPeople } from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { DataTable } from "../look/lists.tsx";
import { Panel } from "../look/parts.tsx";
import { Strength } from "../look/people.tsx";
import { type SignedInRequest, toSentence } from "../page.ts";
import { findNames } from "../search/filter-chips.tsx";
import { formatSearchName } from "../search/search-name.ts";
import {
  formatQuery,
  formatSearchPath,
  hasQuery,
  isMatch,
  readFilters,
  type SearchFilters,
  toSearchRequest,
} from "../search/search-query.ts";

type SearchExplanation = Awaited<ReturnType<ComputingModules["search"]["explain"]>>;

export interface SearchMatch extends Pick<SearchExplanation, "total" | "verdicts"> {
  /** The person's rank and score in the search; undefined if the search does not find the person. */
  readonly placing: SearchExplanation["placing"] | undefined;
  readonly name: string;
  readonly path: string;
  readonly filters: SearchFilters;
  /** Why the search in the address was not run. */
  readonly complaint?: string;
}

/** The filters of the search in the address; undefined if the address has no search. */
export function findFilters({ url }: Pick<SignedInRequest, "url">): SearchFilters | undefined {
  const filters = readFilters(url.searchParams);
  return hasQuery(filters) ? filters : undefined;
}

/** The query of the search in the address; empty if the address has no search. */
export function formatCarriedQuery(ask: Pick<SignedInRequest, "url">): string {
  const filters = findFilters(ask);
  return filters ? formatQuery(filters) : "";
}

/** Finds how a person matches the search in the address. @returns undefined if the address has no search. */
export async function findMatch(
  ask: SignedInRequest,
  login: string,
): Promise<SearchMatch | undefined> {
  const filters = findFilters(ask);
  if (!filters) return undefined;
  const path = formatSearchPath(filters);
  const unplaced = { path, filters, placing: undefined, total: 0, verdicts: [] };
  const explained = await ask.calls.compute(ask, async ({ pool, search }) => {
    // Removes the offset, because the rank does not depend on it.
    const query = readInput(SearchRequest, toSearchRequest({ ...filters, offset: 0 }));
    const name = formatSearchName(filters, findNames(ask, filters, {}));
    const row = search.isReady ? await pool.findRankingFeatures(login) : undefined;
    if (!row) return undefined;
    const { placing, total, verdicts } = await search.explain(row, query);
    return { name, path, filters, placing, total, verdicts };
  });
  if (explained.ok) return explained.shown;
  const { code, message } = explained.problem;
  if (code === "internal") throw explained.problem;
  return { ...unplaced, name: "Open the search", complaint: toSentence(message) };
}

/** The row of a comparison that shows how each person matches the search. */
export function listMatchRows(matches: readonly (SearchMatch | undefined)[]) {
  const [first] = matches;
  if (!first) return [];
  const label = (
    <>
      Match for <a href={first.path}>{first.name}</a>
    </>
  );
  const cells = matches.map(
    (match): Children =>
      match?.placing ? (
        <Strength value={match.placing.score} />
      ) : (
        (match?.complaint ?? "not in this search")
      ),
  );
  return [{ label, cells }];
}

export function MatchSection({
  match,
  analysis,
}: {
  match: SearchMatch;
  analysis: ProfileAnalysis;
}) {
  const { placing, total, verdicts, complaint, name, path } = match;
  const missing =
    complaint === undefined ? "Not in this search" : "The match for this search is not shown";
  const title = placing
    ? `${placing.score.toFixed(1)} match for this search, ${analysis.scores.score.toFixed(1)} overall`
    : missing;
  return (
    <Panel title={title} id="match">
      <p>
        {complaint && `${complaint} `}
        <a href={path}>{name}</a>
        {placing && `: number ${formatCount(placing.rank)} of the ${formatPeople(total)} found.`}
        {placing && ` ${explainDifference(match, analysis)}`}
      </p>
      {placing && isMatch(match.filters) && <Difference placing={placing} analysis={analysis} />}
      {verdicts.length > 0 && (
        <DataTable
          class="small stacked match-terms"
          columns={[
            ["Asked for", ({ field }) => fieldWords[field]],
            ["This person", ({ has }) => has],
            ["Fits", ({ holds }) => (holds ? "yes" : <strong>no</strong>)],
            ["What was asked", ({ asked }) => asked, "free"],
          ]}
          rows={verdicts}
        />
      )}
    </Panel>
  );
}

const fieldWords: Readonly<Record<SearchExplanation["verdicts"][number]["field"], string>> = {
  location: "Place",
  role: "Role",
  skills: "Skills",
  strictSkills: "Skills",
  languages: "Languages",
  repositories: "Repositories",
  minExperienceYears: "Experience",
  activeSince: "Activity",
  isHireable: "Open to work",
  maxResults: "Page",
  offset: "Page",
  class: "Kind of author",
  index: "Index",
};

function explainDifference(match: SearchMatch, { scores, ...analysis }: ProfileAnalysis): string {
  const { placing, verdicts } = match;
  if (!placing) return "";
  if (!isMatch(match.filters)) {
    return "The search names no role and no skill, so the match is the overall score.";
  }
  const asked = verdicts.find(({ field }) => field === "skills")?.has;
  const [best] = listNamedRoles(analysis);
  const ofRole = best ? `for the best role, ${best.displayName},` : "for the best role";
  const what = asked === undefined ? "the role that is asked" : `what is asked (${asked})`;
  return (
    `For this search, ${what} gives a tech stack of ${placing.techStack} and counts ` +
    `${askedWeights.techStack} %; overall, the tech stack ${ofRole} is ${scores.scores.techStack} and counts ` +
    `${overallWeights.techStack} %.`
  );
}

const parts = [
  ["Tech stack", "techStack"],
  ["Activity", "activity"],
  ["Profile", "profile"],
] as const;

interface DifferenceProperties {
  readonly placing: NonNullable<SearchExplanation["placing"]>;
  readonly analysis: ProfileAnalysis;
}

function Difference({ placing, analysis: { scores } }: DifferenceProperties) {
  const points = (value: number, weight: number) => (value * weight) / 100;
  const write = (value: number, weight: number) => (
    <>
      <span class="wide muted">
        {value} × {weight} % ={" "}
      </span>
      {points(value, weight).toFixed(1)}
    </>
  );
  const rows = parts.map(([label, name]) => {
    const [match, overall] = [placing[name], scores.scores[name]];
    return {
      label,
      matching: write(match, askedWeights[name]),
      overall: write(overall, overallWeights[name]),
      more: points(match, askedWeights[name]) - points(overall, overallWeights[name]),
    };
  });
  const sum = {
    label: "Score",
    matching: placing.score.toFixed(1),
    overall: scores.score.toFixed(1),
    more: placing.score - scores.score,
  };
  return (
    <DataTable
      class="small match-terms"
      columns={[
        ["Part", ({ label }) => label],
        ["Match", ({ matching }) => matching, "number"],
        ["Overall", ({ overall }) => overall, "number"],
        ["Difference", ({ more }) => formatDifference(more), "number"],
      ]}
      rows={[...rows, sum]}
    />
  );
}

/** Formats a difference of scores, such as `+16.0` or `−2.4`. */
function formatDifference(difference: number): string {
  const text = Math.abs(difference).toFixed(1);
  if (Number(text) === 0) return text;
  return `${difference > 0 ? "+" : "−"}${text}`;
}
