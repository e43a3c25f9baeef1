/** Rules that choose among the languages that share an extension. */
export interface Heuristic {
  readonly extensions: readonly string[];
  readonly rules: readonly HeuristicRule[];
}

export interface HeuristicRule {
  readonly languages: readonly string[];
  readonly tests: readonly HeuristicTest[];
}

export interface HeuristicTest {
  readonly any: readonly (readonly [pattern: string, flags: string])[];
  readonly not?: boolean;
}

/** The most characters that the rules examine, as in Linguist. */
const consideredMax = 50 * 1024;

/** @returns the languages of the first rule that passes; empty if no rule passes. @package */
export function applyHeuristic(heuristic: Heuristic, content: string): readonly string[] {
  const considered = selectConsidered(content);
  const rule = heuristic.rules.find(({ tests }) =>
    tests.every(
      ({ any, not }) => any.some((source) => compile(source).test(considered)) !== Boolean(not),
    ),
  );
  return rule?.languages ?? [];
}

/** The part of a file that the rules examine. @package */
export function selectConsidered(content: string): string {
  return content
    .slice(0, consideredMax)
    .replace(longGap, shorten)
    .replace(longLine, (line) => line.slice(0, lineMax));
}

/** Long white space is shortened before the rules run, because some rules take cubic time in its length. */
const longGap = /\s{33,}/g;
const lineMax = 1000;
const longLine = new RegExp(`[^\\r\\n]{${lineMax + 1},}`, "g");

function shorten(gap: string): string {
  return `${gap.slice(0, 16)}${gap.includes("\n") ? "\n" : ""}${gap.slice(-16)}`;
}

const compiled = new Map<readonly [string, string], RegExp>();

function compile(source: readonly [pattern: string, flags: string]): RegExp {
  return compiled.getOrInsertComputed(source, () => new RegExp(...source));
}
