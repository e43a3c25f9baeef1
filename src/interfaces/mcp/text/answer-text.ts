/** An operation's data as a compact text, for people and for models that do not read the structured content. */
import type { Meta } from "../../../contract/envelope.ts";
import { cleanForModel } from "../../../contract/foreign-text.ts";
import { formatAnalysis } from "./analysis-text.ts";
import { formatDeveloper, formatSearch } from "./people-text.ts";
import { adviseSearch } from "./search-advice.ts";
import { formatTerms } from "./terms-text.ts";

/** What a model can do with an answer. */
export interface Advice {
  readonly nextOffset?: number;
  readonly hints: readonly string[];
}

interface View {
  lines(data: never): readonly string[];
  advice?(data: never, asked: never): Advice;
}

const views: Record<string, View> = {
  search_developers: { lines: formatSearch, advice: adviseSearch },
  get_developer: { lines: formatDeveloper },
  analyze_profile: { lines: formatAnalysis },
  lookup_terms: { lines: formatTerms },
};

/** @param asked what the operation was asked: it took this, so it is well formed. */
export function findAdvice(operation: string, data: unknown, asked: unknown): Advice {
  return views[operation]?.advice?.(data as never, asked as never) ?? { hints: [] };
}

/** An operation without a view of its own is told as JSON, made harmless and cut alike. */
export function formatAnswer(
  operation: string,
  data: unknown,
  { quota }: Pick<Meta, "quota">,
  { nextOffset, hints }: Advice,
): string {
  const view = views[operation];
  const lines = view
    ? view.lines(data as never)
    : [cleanForModel(JSON.stringify(data), fallbackLettersMax)];
  const of = quota.limit < 0 ? "" : ` of ${quota.limit}`;
  return [
    ...lines,
    ...hints,
    nextOffset === undefined ? "" : `The next page has offset ${nextOffset}.`,
    `Calls used in ${quota.month}: ${quota.used}${of}.`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

const fallbackLettersMax = 20_000;
