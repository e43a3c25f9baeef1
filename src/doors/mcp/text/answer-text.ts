/** An operation's data as a compact text, for people and for models that do not read the structured content. */
import type { Meta } from "../../../contract/envelope.ts";
import { plain } from "../../../contract/foreign-text.ts";
import { analysisLines } from "./analysis-text.ts";
import { developerLines, searchLines } from "./people-text.ts";
import { termsLines } from "./terms-text.ts";

const views: Record<string, (data: never) => readonly string[]> = {
  search_developers: searchLines,
  get_developer: developerLines,
  analyze_profile: analysisLines,
  lookup_terms: termsLines,
};

/** An operation without a view of its own is told as JSON, made harmless and cut alike. */
export function answerText(operation: string, data: unknown, { quota }: Meta): string {
  const view = views[operation];
  const lines = view ? view(data as never) : [plain(JSON.stringify(data), fallbackLettersMax)];
  const of = quota.limit < 0 ? "" : ` of ${quota.limit}`;
  return [...lines, `Calls used in ${quota.month}: ${quota.used}${of}.`]
    .filter((line) => line !== "")
    .join("\n");
}

const fallbackLettersMax = 20_000;
