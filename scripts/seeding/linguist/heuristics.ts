import type {
  Heuristic,
  HeuristicRule,
  HeuristicTest,
} from "../../../src/ingest/linguist/heuristics.ts";
import { fromRuby } from "./ruby-regexp.ts";

interface RubyRule {
  readonly language?: string | string[];
  readonly pattern?: string | string[];
  readonly negative_pattern?: string | string[];
  readonly named_pattern?: string;
  readonly and?: readonly RubyRule[];
}

export interface RubyHeuristics {
  readonly disambiguations: readonly {
    readonly extensions: readonly string[];
    readonly rules: readonly RubyRule[];
  }[];
  readonly named_patterns: Readonly<Record<string, string | string[]>>;
}

/**
 * Linguist's heuristics.yml as data for JavaScript. Of `.txt` only the rule for all others is kept: its
 * patterns nest repetitions, none of what they tell is a language of somebody's, and such files are many.
 */
export function readHeuristics({ disambiguations, named_patterns }: RubyHeuristics): Heuristic[] {
  const patterns = (source: string | string[] | undefined) =>
    [source ?? []].flat().map((text) => fromRuby(text));
  // Linguist looks at the first of these keys that a rule has, and at no other.
  const testsOf = (rule: RubyRule): HeuristicTest[] => {
    if (rule.and) return rule.and.flatMap(testsOf);
    if (rule.pattern) return [{ any: patterns(rule.pattern) }];
    if (rule.negative_pattern) return [{ any: patterns(rule.negative_pattern), not: true }];
    if (rule.named_pattern) return [{ any: patterns(named_patterns[rule.named_pattern]) }];
    return [];
  };
  return disambiguations.map(({ extensions, rules }) => ({
    extensions: extensions.map((extension) => extension.toLowerCase()),
    rules: (extensions.includes(".txt") ? rules.slice(-1) : rules).map(
      (rule): HeuristicRule => ({
        languages: [rule.language ?? []].flat(),
        tests: testsOf(rule),
      }),
    ),
  }));
}
