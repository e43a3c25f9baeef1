/** Downloads of a page of results, as CSV and as JSON. For a minute after the page was opened, they cost no call. */
import type { Card, SearchData } from "../../../contract/people/developer.ts";
import { csvColumns } from "../../../contract/people/profile-fields.ts";
import type { SearchRequest } from "../../../contract/requests.ts";
import { formatCall } from "../../../operations/example-call.ts";
import { operations } from "../../../operations/index.ts";
import type { Operation } from "../../../operations/operation.ts";
import { createCsvDownload, createJsonDownload } from "../download.ts";
import { Disclosure } from "../look/forms.tsx";
import { ButtonLink, Copyable, Popup } from "../look/parts.tsx";
import {
  defineSignedInPage,
  type PageAnswer,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
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

interface ExportProperties extends SignedInProperties {
  readonly request: SearchRequest;
  /** The query of the page of results, without a question mark. */
  readonly query: string;
}

/** A popup with files of the people on the page, and the search as a call for programs and assistants. */
export function ExportResults({ ask, request, query }: ExportProperties) {
  const [operation] = operations as [Operation];
  const access = { address: ask.modules.publicUrl(), key: "$ROSTER_API_KEY" };
  const curl = formatCall(operation, request, access).join(" \\\n  ");
  const call = { name: operation.name, arguments: request };
  return (
    <Popup label="Export" tone="plain">
      <div class="actions">
        <ButtonLink to={`/search/people.csv?${query}`} label="CSV" />
        <ButtonLink to={`/search/people.json?${query}`} label="JSON" />
      </div>
      <Disclosure label="Copy as a call">
        <Copyable id="as-curl" label="curl" text={curl} />
        <Copyable id="as-mcp" label="MCP call" text={JSON.stringify(call, undefined, 2)} />
        <Copyable id="as-command" label="Command" text={formatCommand(request)} />
      </Disclosure>
    </Popup>
  );
}

/** @package Writes the search as a command for a POSIX shell. */
export function formatCommand(request: SearchRequest): string {
  const { location, ...options } = request;
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    // The names of a list are separated by commas.
    return value === true ? [flag] : [flag, quoteForShell(String(value))];
  });
  return ["roster search", quoteForShell(location), ...flags].join(" ");
}

/** Quotes a text for a POSIX shell, unless the shell reads it unchanged. */
function quoteForShell(text: string): string {
  return /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
