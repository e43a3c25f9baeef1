/** Explains how a person matches the search from which the person's page was opened. This costs no call. */
import { askedWeights, overallWeights } from "../../../contract/people/developer.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { readInput } from "../../../contract/read.ts";
import { SearchRequest } from "../../../contract/requests.ts";
import type { ComputingModules } from "../calls.ts";
import { formatCount, formatPeople, formatScore } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { FoldedPanel } from "../look/parts.tsx";
import { type SignedInRequest, toSentence } from "../page.ts";
import { findNames } from "../search/search-notes.tsx";
import {
  formatQuery,
  formatSearchPath,
  hasQuery,
  isMatch,
  readFilters,
  type SearchFilters,
  toSearchRequest,
} from "../search/search-query.ts";
import { formatSearchName } from "../search/suggested-searches.ts";

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
    const row = search.generation ? await pool.findRankingFeatures(login) : undefined;
    if (!row) return undefined;
    const { placing, total, verdicts } = await search.explain(row, query);
    return { name, path, filters, placing, total, verdicts };
  });
  if (explained.ok) return explained.shown;
  const { code, message } = explained.problem;
  if (code === "internal") throw explained.problem;
  return { ...unplaced, name: "Open the search", complaint: toSentence(message) };
}

export function MatchSection({
  match,
  analysis,
}: Omit<DifferenceProperties, "placing"> & { readonly match: SearchMatch }) {
  const { placing, total, verdicts, complaint, name, path, filters } = match;
  const missing = complaint === undefined ? "Not in this search" : "No match for this search";
  const title = placing ? `${formatScore(placing.score)} match for this search` : missing;
  return (
    <FoldedPanel title={title} id="match" isOpen>
      <p>
        {complaint && `${complaint} `}
        <a href={path}>{name}</a>
        {placing &&
          `: number ${formatCount(placing.rank)} of ${formatPeople(total)}${filters.sort && " by match"}.`}
        {placing &&
          !isMatch(filters) &&
          " The search names no role or skill: the match is the score."}
      </p>
      {placing && isMatch(filters) && <Difference placing={placing} analysis={analysis} />}
      {verdicts.length > 0 && (
        <DataTable
          class="small stacked match-terms"
          columns={[
            ["Filter", ({ field }) => fieldWords[field]],
            ["This person", ({ has }) => has],
            ["Fits", ({ holds }) => (holds ? "yes" : <strong>no</strong>)],
            ["Search", ({ asked }) => asked, "free"],
          ]}
          rows={verdicts}
        />
      )}
    </FoldedPanel>
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
  maxExperienceYears: "Experience",
  company: "Company",
  activeSince: "Activity",
  isHireable: "Open to work",
  maxResults: "Page",
  offset: "Page",
  sort: "Order",
  fields: "Page",
  class: "Kind of author",
  index: "Index",
};

interface DifferenceProperties {
  readonly placing: NonNullable<SearchExplanation["placing"]>;
  readonly analysis: ProfileAnalysis;
}

function Difference({ placing, analysis: { scores } }: DifferenceProperties) {
  const whole = scores.scores;
  const write = (value: number, weight: number) => `${value} × ${weight} %`;
  const of = (part: "activity" | "profile") => [
    write(placing[part], askedWeights[part]),
    write(whole[part], overallWeights[part]),
  ];
  const sums = [placing.score, scores.score].map((sum) => <strong>{formatScore(sum)}</strong>);
  return (
    <DataTable
      class="small match-terms"
      columns={[
        ["Part", ([label]) => label],
        ["Match", ([, match]) => match, "number"],
        ["Score", ([, , score]) => score, "number"],
      ]}
      rows={[
        ["Skills of the search", write(placing.techStack, askedWeights.techStack)],
        ["Tech stack", "", write(whole.techStack, overallWeights.techStack)],
        ["Activity", ...of("activity")],
        ["Experience and breadth", ...of("profile")],
        ["Sum", ...sums],
      ]}
    />
  );
}
