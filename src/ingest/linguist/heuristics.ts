/** One extension or several, and the rules that settle between the languages which claim them. */
export interface Heuristic {
  readonly extensions: readonly string[];
  readonly rules: readonly HeuristicRule[];
}

export interface HeuristicRule {
  readonly languages: readonly string[];
  /** All must hold; none at all always hold. */
  readonly tests: readonly HeuristicTest[];
}

export interface HeuristicTest {
  readonly any: readonly (readonly [pattern: string, flags: string])[];
  readonly not?: boolean;
}

/** Characters that the rules look at, as Linguist limits them. */
const consideredMax = 50 * 1024;

/**
 * @param content a character per byte.
 * @returns the languages of the first rule that holds; empty when none does. @package
 */
export function applyHeuristic(heuristic: Heuristic, content: string): readonly string[] {
  const considered = selectConsidered(content);
  const rule = heuristic.rules.find(({ tests }) =>
    tests.every(
      ({ any, not }) => any.some((one) => compiled(one).test(considered)) !== Boolean(not),
    ),
  );
  return rule?.languages ?? [];
}

/** What of a file the rules look at. @package */
export function selectConsidered(content: string): string {
  return content
    .slice(0, consideredMax)
    .replace(longGap, shortened)
    .replace(longLine, (line) => line.slice(0, lineMax));
}

/**
 * Some rules take cubic time on blank lines, and many that of the square of a line; shortened gaps mean the
 * same to all of them, and what somebody wrote stands at the beginning of a line.
 */
const longGap = /\s{33,}/g;
const lineMax = 1000;
const longLine = new RegExp(`[^\\r\\n]{${lineMax + 1},}`, "g");

function shortened(gap: string): string {
  return `${gap.slice(0, 16)}${gap.includes("\n") ? "\n" : ""}${gap.slice(-16)}`;
}

/** Patterns are compiled when first met: a repository needs few of the hundreds. */
const known = new Map<readonly [string, string], RegExp>();

function compiled(one: readonly [pattern: string, flags: string]): RegExp {
  let expression = known.get(one);
  if (!expression) {
    expression = new RegExp(one[0], one[1]);
    known.set(one, expression);
  }
  return expression;
}
