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
 * Turns Linguist's heuristics.yml into data for JavaScript. Of `.txt` only the last rule is kept, because such files are
 * many, the patterns of the other rules are slow, and none of them finds a language that people would claim.
 */
export function readHeuristics({ disambiguations, named_patterns }: RubyHeuristics): Heuristic[] {
  const patterns = (source: string | string[] | undefined) =>
    [source ?? []].flat().map((text) => fromRuby(text));
  // Linguist uses the first of these keys that a rule has, and ignores the others.
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
      (rule): HeuristicRule => ({ languages: [rule.language ?? []].flat(), tests: testsOf(rule) }),
    ),
  }));
}
