/** The question of the page "Who knows", which the address of the page contains. */
import { limits } from "../../../contract/limits.ts";
import type { WhoData, WhoRequest } from "../../../contract/people/who-knows.ts";
import type { WhoNames } from "../../../operations/who-names.ts";
import type { CallAnswer } from "../calls.ts";
import { splitLogins } from "../search/search-query.ts";

export interface WhoQuestion {
  readonly repository: string;
  readonly path: string;
  readonly package: string;
  /** A day as YYYY-MM-DD; empty for today. */
  readonly asOf: string;
  /** The logins of people who leave, separated by commas. */
  readonly without: string;
  readonly open: string;
}

export interface WhoProperties {
  readonly question: WhoQuestion;
  readonly data: WhoData;
  readonly names: WhoNames;
}

export const noQuestion: WhoQuestion = {
  ...{ repository: "", path: "", package: "", asOf: "", without: "", open: "" },
};

const shownMax = 10;

/** Reads the question from an address without checking it. The operation reports errors. */
export function readQuestion(query: URLSearchParams): WhoQuestion {
  const read = (name: string, max: number = limits.textLengthMax) =>
    (query.get(name) ?? "").trim().slice(0, max);
  const cut = (text: string) => text.slice(0, limits.pathLengthMax);
  return {
    repository: read("repository"),
    path: read("path", limits.pathLengthMax),
    package: read("package"),
    asOf: read("asOf"),
    without: splitLogins(query.getAll("without").map(cut)).join(","),
    open: read("open", limits.pathLengthMax),
  };
}

/** Converts a question to the input of the operation. @returns `undefined` for an empty question. */
export function toWhoRequest({
  without,
  open: _,
  ...question
}: WhoQuestion): WhoRequest | undefined {
  const stated = Object.entries(question).filter(([, text]) => text !== "");
  const isAsked = stated.some(([name]) => name !== "asOf");
  if (!isAsked && without === "") return undefined;
  const leaving = without === "" ? {} : { without: without.split(",") };
  return { ...Object.fromEntries(stated), ...leaving, limit: shownMax };
}

/** Formats the address of a question after a change. Folders are closed, unless the change opens a folder. */
export function formatAddress(
  question: WhoQuestion,
  change: Partial<WhoQuestion> = {},
  page = "/who",
): string {
  const stated = Object.entries({ ...question, open: "", ...change }).filter(
    ([, text]) => text !== "",
  );
  const query = new URLSearchParams(stated);
  return query.size === 0 ? page : `${page}?${query}`;
}

export function formatTitle(title: string, question: WhoQuestion): string {
  const asked = [question.path, question.repository, question.package].find(Boolean);
  return asked === undefined ? title : `${title} ${asked}`;
}

/** The heading of a refused question: what was not found. */
export function formatFailure(answer: CallAnswer<unknown>, question: WhoQuestion): string {
  if (answer.ok || answer.problem.code !== "not_found") return "We could not answer";
  const { message } = answer.problem;
  if (message.startsWith("without")) return "We could not find that person";
  if (message.startsWith("repository")) return "We could not find that repository";
  return `We could not find that ${question.package === "" ? "path" : "package"}`;
}
