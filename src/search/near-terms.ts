import { limits } from "../contract/limits.ts";
import { listNearWords } from "../identity/near-words.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";

/** A requested name that matches no skill or language, and similar known names, best first. */
export interface NearTerms {
  readonly asked: string;
  readonly names: readonly string[];
}

type Names = Pick<Vocabulary, "findSkill" | "findLanguage" | "suggest">;

const namesMax = 3;

/**
 * For each unknown skill and language, lists known names that differ by one typing mistake. If there are none, lists the most
 * similar names.
 * @package
 * @returns entries only for names with a suggestion, and for at most five skills and five languages.
 */
export function listNearTerms(
  unknown: Readonly<Record<"skills" | "languages", readonly string[]>>,
  vocabulary: Names,
): readonly NearTerms[] {
  const { findSkill, findLanguage } = vocabulary;
  const near = (asked: string, kind: "skill" | "language"): NearTerms => {
    const find = kind === "skill" ? findSkill : findLanguage;
    const texts = [...listNearWords(asked.trim().toLowerCase())];
    const slips = texts.flatMap((text) => find(text)?.name ?? []);
    const names = slips.length > 0 ? slips : vocabulary.suggest(asked, kind);
    return { asked, names: [...new Set(names)].slice(0, namesMax) };
  };
  // Only a few names get suggestions, because each takes time.
  const some = (names: readonly string[]) => names.slice(0, limits.suggestionsMax);
  return [
    ...some(unknown.skills).map((asked) => near(asked, "skill")),
    ...some(unknown.languages).map((asked) => near(asked, "language")),
  ].filter(({ names }) => names.length > 0);
}
