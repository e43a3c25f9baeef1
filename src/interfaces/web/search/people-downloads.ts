/** Downloads of a page of results, as CSV and as JSON. For a minute after the page was opened, they cost no call. */
import type { Card, SearchData } from "../../../contract/people/developer.ts";
import { csvColumns } from "../../../contract/people/profile-fields.ts";
import { createCsvDownload, createJsonDownload } from "../download.ts";
import { defineSignedInPage, type PageAnswer, type SignedInRequest } from "../page.ts";
import { isMatch, readFilters, splitLogins, toSearchRequest } from "./search-query.ts";

export const peopleCsvPage = defineSignedInPage({
  path: "/search/people.csv",
  show: (ask) =>
    download(ask, ({ results }) => {
      const names = isMatch(readFilters(ask.url.searchParams)) ? matchHeadings : {};
      return createCsvDownload("people.csv", [
        peopleColumns.map(({ heading }) => names[heading] ?? heading),
        ...results.map((person) => peopleColumns.map(({ field }) => person[field])),
      ]);
    }),
});

export const peopleJsonPage = defineSignedInPage({
  path: "/search/people.json",
  show: (ask) => download(ask, (data) => createJsonDownload("people.json", data)),
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

/** The selected people. Those whom no page has shown have only their login. */
export const selectedCsvPage = defineSignedInPage({
  path: "/search/selected.csv",
  show: async (ask) => {
    const logins = splitLogins(ask.url.searchParams.getAll("login"));
    const { id } = ask.visitor.account;
    const shown = logins.map((login) => (ask.calls.wasShown(id, login) ? login : ""));
    const answer = await ask.calls.compute(ask, ({ pool }) => pool.findCards(shown));
    if (!answer.ok) throw answer.problem;
    return createCsvDownload("selected.csv", [
      peopleColumns.map(({ heading }) => heading),
      ...logins.map((login, at) => listCells(login, answer.shown[at])),
    ]);
  },
});

/** Lists the cells of a person outside a search. The score is the overall score. @param card undefined if the person is unknown. */
export function listCells(login: string, card: Card | undefined) {
  const person = card && { ...card, matching_keywords: card.keywords.join(", ") };
  return [login, ...peopleColumns.slice(1).map(({ field }) => person?.[field])];
}

type Row = SearchData["results"][number];

/** The fields of a profile that become the first columns. All other fields of a profile become the last columns. */
const firstFields = ["login", "name", "location", "company"];

/** Names of columns whose values are for the role or skills of a search. */
const matchHeadings: Readonly<Record<string, string>> = {
  score: "match",
  "tech stack": "skills of the search",
};

/** The columns of CSV files about people. `field` is the field of a search result. */
export const peopleColumns = [
  ...firstFields.map((field) => ({ heading: field, field })),
  { heading: "score", field: "score" },
  { heading: "experience and breadth", field: "profile_score" },
  { heading: "tech stack", field: "tech_stack_score" },
  { heading: "activity", field: "activity_score" },
  { heading: "years", field: "platform_experience" },
  { heading: "last active", field: "last_active_date" },
  { heading: "matching", field: "matching_keywords" },
  { heading: "e-mail", field: "email" },
  ...csvColumns.filter(({ field }) => !firstFields.includes(field)),
] as readonly {
  readonly heading: string;
  readonly field: Exclude<keyof Row, `top_${string}` | "github_experience">;
}[];
