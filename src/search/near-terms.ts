import { limits } from "../contract/limits.ts";
import { listNearWords } from "../identity/near-words.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";

/** A name that no skill or language has, and names that may have been meant, best first. */
export interface NearTerms {
  readonly asked: string;
  readonly names: readonly string[];
}

type Names = Pick<Vocabulary, "findSkill" | "findLanguage" | "suggest">;

const namesMax = 3;

/**
 * Lists for each unknown skill and language those whose names are one slip from it, or else those of a similar name.
 *
 * @package
 * @returns nothing for one that no name is near, and for more than five of each.
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
  // A long name has two thousand near ones, and a request may have thirty.
  const some = (names: readonly string[]) => names.slice(0, limits.suggestionsMax);
  return [
    ...some(unknown.skills).map((asked) => near(asked, "skill")),
    ...some(unknown.languages).map((asked) => near(asked, "language")),
  ].filter(({ names }) => names.length > 0);
}
