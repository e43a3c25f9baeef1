/**
 * What a search makes of one person, who was opened from it: the score for what is asked beside the overall score, and
 * why they differ. `roster explain --query` shows the same. It costs no call, and is limited like look-ups.
 */
import {
  askedWeights,
  overallWeights,
  type ScoreWeights,
} from "../../../contract/people/developer.ts";
import { listNamedRoles, type ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { readInput } from "../../../contract/read.ts";
import { SearchRequest } from "../../../contract/requests.ts";
import type { ComputingModules } from "../calls.ts";
import { DataTable } from "../look/data-table.tsx";
import { formatCount, formatPeople } from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { Panel } from "../look/parts.tsx";
import { Strength } from "../look/people.tsx";
import { type SignedInRequest, toSentence } from "../page.ts";
import { findNames } from "../search/filter-chips.tsx";
import { formatSearchName } from "../search/search-name.ts";
import {
  formatQuery,
  formatSearchPath,
  hasQuery,
  readFilters,
  type SearchFilters,
  toSearchRequest,
} from "../search/search-query.ts";

type SearchExplanation = Awaited<ReturnType<ComputingModules["search"]["explain"]>>;

export interface SearchMatch {
  /** What the search is called. */
  readonly name: string;
  readonly path: string;
  readonly filters: SearchFilters;
  /** `undefined` if the person is in no answer, or the search is not valid. */
  readonly placing: SearchExplanation["placing"];
  readonly total: number;
  readonly verdicts: SearchExplanation["verdicts"];
  /** Why the search in the address is not valid, or not made. */
  readonly complaint?: string;
}

/** The filters in the address of a person's page or of a comparison; `undefined` if it has none. */
export function findFilters({ url }: Pick<SignedInRequest, "url">): SearchFilters | undefined {
  const filters = readFilters(url.searchParams);
  return hasQuery(filters) ? filters : undefined;
}

/** The query of the search in the address, to be kept in links; empty without one. */
export function formatKeptQuery(ask: Pick<SignedInRequest, "url">): string {
  const filters = findFilters(ask);
  return filters ? formatQuery(filters) : "";
}

/** @returns `undefined` without a search in the address. */
export async function findMatch(
  ask: SignedInRequest,
  login: string,
): Promise<SearchMatch | undefined> {
  const filters = findFilters(ask);
  if (!filters) return undefined;
  const path = formatSearchPath(filters);
  const unplaced = { path, filters, placing: undefined, total: 0, verdicts: [] };
  const explained = await ask.calls.compute(ask, async ({ pool, search }) => {
    // Which page of the results led here changes no rank.
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

/** The row of a comparison with the score of each person for the search; none without a search. */
export function listMatchRows(
  matches: readonly (SearchMatch | undefined)[],
): readonly { readonly label: Children; readonly cells: readonly Children[] }[] {
  const [first] = matches;
  if (!first) return [];
  const label = (
    <>
      Match for <a href={first.path}>{first.name}</a>
    </>
  );
  const cells = matches.map((match) =>
    match?.placing ? (
      <Strength value={match.placing.score} />
    ) : (
      (match?.complaint ?? "not in this search")
    ),
  );
  return [{ label, cells }];
}

interface MatchProperties {
  readonly match: SearchMatch;
  readonly analysis: ProfileAnalysis;
}

/** Both scores, and the difference part by part. */
export function MatchSection({ match, analysis }: MatchProperties) {
  const { placing, total, verdicts, complaint, name, path } = match;
  const title = placing
    ? `${placing.score.toFixed(1)} match for this search, ${analysis.scores.score.toFixed(1)} overall`
    : complaint === undefined
      ? "Not in this search"
      : "The match for this search is not shown";
  return (
    <Panel title={title} id="match">
      <p>
        {complaint && `${complaint} `}
        <a href={path}>{name}</a>
        {placing && `: number ${formatCount(placing.rank)} of the ${formatPeople(total)} found.`}
        {placing && ` ${explainDifference(match, analysis)}`}
      </p>
      {placing && isAsked(match) && <Difference placing={placing} analysis={analysis} />}
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

/** Whether the score for the search is another one than the overall score (decision 47). */
const isAsked = ({ filters: { role, skills } }: SearchMatch) => role !== "" || skills.length > 0;

function explainDifference(match: SearchMatch, { scores, ...analysis }: ProfileAnalysis): string {
  const { placing, verdicts } = match;
  if (!placing) return "";
  if (!isAsked(match)) {
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

interface Part {
  readonly label: string;
  readonly matching: number;
  readonly overall: number;
  readonly weight: keyof ScoreWeights;
}

interface DifferenceProperties {
  readonly placing: NonNullable<SearchExplanation["placing"]>;
  readonly analysis: ProfileAnalysis;
}

function Difference({ placing, analysis: { scores } }: DifferenceProperties) {
  const own = scores.scores;
  const parts: readonly Part[] = [
    {
      label: "Tech stack",
      matching: placing.techStack,
      overall: own.techStack,
      weight: "techStack",
    },
    { label: "Activity", matching: placing.activity, overall: own.activity, weight: "activity" },
    { label: "Profile", matching: placing.profile, overall: own.profile, weight: "profile" },
  ];
  const points = (value: number, weight: number) => (value * weight) / 100;
  const write = (value: number, weight: number) => (
    <>
      <span class="wide muted">
        {value} × {weight} % ={" "}
      </span>
      {points(value, weight).toFixed(1)}
    </>
  );
  const rows = parts.map(({ label, matching, overall, weight }) => ({
    label,
    matching: write(matching, askedWeights[weight]),
    overall: write(overall, overallWeights[weight]),
    more: points(matching, askedWeights[weight]) - points(overall, overallWeights[weight]),
  }));
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

/** `+16.0`, `−2.4`, `0.0` */
function formatDifference(difference: number): string {
  const text = Math.abs(difference).toFixed(1);
  if (Number(text) === 0) return text;
  return `${difference > 0 ? "+" : "−"}${text}`;
}
