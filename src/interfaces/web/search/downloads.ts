/** What a page of results shows, as a table and as the API answers it. Within a minute of the page it counts nothing. */
import type { SearchData } from "../../../contract/people/developer.ts";
import type { PageAnswer, SignedInRequest } from "../page.ts";
import { defineSignedInPage } from "../page.ts";
import { formatCsv } from "./csv.ts";
import { readFilters, toSearchRequest } from "./search-query.ts";

export const peopleCsvPage = defineSignedInPage({
  path: "/search/people.csv",
  show: (ask) =>
    download(ask, (data) => ({
      content: formatCsv([columns, ...data.results.map(toRow)]),
      type: "text/csv; charset=utf-8",
      fileName: "people.csv",
    })),
});

export const peopleJsonPage = defineSignedInPage({
  path: "/search/people.json",
  show: (ask) =>
    download(ask, (data) => ({
      content: JSON.stringify(data, undefined, 2),
      type: "application/json",
      fileName: "people.json",
    })),
});

async function download(
  ask: SignedInRequest,
  format: (data: SearchData) => PageAnswer,
): Promise<PageAnswer> {
  const request = toSearchRequest(readFilters(ask.url.searchParams));
  const answer = await ask.calls.perform(ask, "search_developers", request, format);
  if (!answer.ok) throw answer.problem;
  return answer.shown;
}

const columns = [
  ...["login", "name", "location", "company", "score", "profile", "tech stack", "activity"],
  ...["years", "last active", "matching", "e-mail", "profile page"],
];

type Row = SearchData["results"][number];

const toRow = (person: Row) => [
  ...[person.login, person.name, person.location, person.company, person.score],
  ...[person.profile_score, person.tech_stack_score, person.activity_score],
  ...[person.platform_experience, person.last_active_date, person.matching_keywords],
  ...[person.email, person.profile_url],
];
