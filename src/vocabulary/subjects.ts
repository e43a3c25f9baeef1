/** Finds the subject of a project from its own description. */
import list from "../../seed/vocabulary/subjects.txt" with { type: "text" };
import { readListLines } from "./list-lines.ts";
import type { Skill } from "./skills.ts";

/**
 * @param readSkills finds the skills that a text names.
 * @param fields ids of the fields of knowledge.
 * @returns `find`, which finds the sorted ids of the skills that a project's description is about, and the phrases of each skill.
 */
export function openSubjects(
  readSkills: (text: string) => readonly Skill[],
  fields: Iterable<string>,
) {
  const phrasesOf = new Map<string, readonly string[]>();
  const skills = new Map<string, string[]>();
  const subjects = new Set(fields);
  for (const line of readListLines(list)) {
    const [skill = "", listed = ""] = line.split(" | ");
    // "web scraping" names a "web scraper" too
    const phrases = listed.split(", ").flatMap((one) => [one, one.replace(/ing$/, "er")]);
    subjects.add(skill);
    phrasesOf.set(skill, phrases);
    for (const phrase of new Set(phrases)) skills.getOrInsertComputed(phrase, () => []).push(skill);
  }
  // Longer phrases come first, because the first phrase that matches wins.
  const phrases = [...skills.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const pattern = new RegExp(`(?<![\\w-])(${phrases.join("|")})(?:s|es)?(?![\\w-])`, "gi");
  const find = (text: string): readonly string[] => {
    const plain = text
      .replace(/[\s-]+/g, " ")
      .replace(/(?<=\p{L}{3}i|analy)s(?=ation|ing|er)/giu, "z");
    const found = new Set<string>();
    // Removes the phrases. Only the rest is searched for names of skills.
    const rest = plain.replace(pattern, (match, phrase: string, at: number) => {
      if (isOfName(plain, match, at)) return match;
      for (const skill of skills.get(phrase.toLowerCase()) ?? []) found.add(skill);
      return ",";
    });
    for (const { id } of readSkills(rest)) if (subjects.has(id)) found.add(id);
    if (isForSeveral(plain)) for (const id of platforms) found.delete(id);
    return [...found].sort();
  };
  return { find, phrasesOf };
}

const platforms = ["macos", "ios", "windows", "linux", "android"];
const platformNames =
  /(mac ?os|os x|darwin|\bmac\b|ios|iphone)|(windows|win32)|(linux)|(android)|(bsd|(?:cross|multi) ?platform)/giu;

/** Whether a text names platforms of several makers. */
const isForSeveral = (text: string): boolean =>
  new Set([...text.matchAll(platformNames)].map((match) => match.indexOf(match[0], 1))).size > 1;

/** Whether a word is part of a name, such as the last word of "the 1997 sim Theme Hospital". */
function isOfName(text: string, word: string, at: number): boolean {
  if (word.includes(" ") || !/^\p{Lu}\p{Ll}/u.test(word)) return false;
  return /\p{Ll} \p{Lu}\p{Ll}+ $/u.test(text.slice(0, at));
}
