/** The question of the page "Who knows", as its address holds it. */
import { limits } from "../../../contract/limits.ts";
import type { WhoData, WhoRequest } from "../../../contract/people/who-knows.ts";

export interface WhoQuestion {
  readonly repository: string;
  readonly path: string;
  readonly package: string;
  /** A day as YYYY-MM-DD; empty for today. */
  readonly asOf: string;
}

/** The question of the page and its answer, for the parts of the page. */
export interface WhoProperties {
  readonly question: WhoQuestion;
  readonly data: WhoData;
}

const shownMax = 10;

/** Reads any address; the operation reports what is wrong with it. */
export function readQuestion(query: URLSearchParams): WhoQuestion {
  const read = (name: string, max: number = limits.textLengthMax) =>
    (query.get(name) ?? "").trim().slice(0, max);
  return {
    repository: read("repository"),
    path: read("path", limits.pathLengthMax),
    package: read("package"),
    asOf: read("asOf"),
  };
}

/** @returns `undefined` for an empty question. */
export function toWhoRequest(question: WhoQuestion): WhoRequest | undefined {
  const stated = Object.entries(question).filter(([, text]) => text !== "");
  const isAsked = stated.some(([name]) => name !== "asOf");
  return isAsked ? { ...Object.fromEntries(stated), limit: shownMax } : undefined;
}

/** The address of the same question with some fields changed. */
export function formatAddress(
  question: WhoQuestion,
  change: Partial<WhoQuestion> = {},
  page = "/who",
): string {
  const stated = Object.entries({ ...question, ...change }).filter(([, text]) => text !== "");
  const query = new URLSearchParams(stated);
  return query.size === 0 ? page : `${page}?${query}`;
}
