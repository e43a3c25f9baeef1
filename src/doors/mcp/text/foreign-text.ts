/**
 * Text that others wrote (a bio, a company, a repository's name), fit to stand in an answer that a language
 * model reads. It is data: it keeps its words and loses every means to look like anything else. In its
 * quotes it can neither end them, begin a line, form a tag, a fence, a link or an image, nor hide letters.
 */

/** Longer texts are cut in the compact text; the structured content has them whole. */
const lettersMax = 160;

/** In quotes: whatever people write themselves. */
export function quoted(text: string): string {
  return `"${plain(text).replaceAll('"', "'")}"`;
}

/** Without quotes: only for our own words, and for what was held against a narrow form (logins, dates). */
export function plain(text: string, max = lettersMax): string {
  const clean = text
    .toWellFormed()
    .replace(unseen, " ")
    .replace(/[<>[\]{}`|]/g, (mark) => harmless[mark] as string)
    .trim();
  const letters = [...clean];
  return letters.length > max ? `${letters.slice(0, max).join("").trimEnd()}…` : clean;
}

/**
 * Spaces and line ends of any kind; controls; letters that are invisible, turn the direction of reading or
 * belong to nobody; and the variation selectors and fillers, which can carry a hidden text behind any letter.
 */
const unseen = /(?:\p{Z}|\p{C}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}|\u2800)+/gu;

const harmless: Record<string, string> = {
  "<": "‹",
  ">": "›",
  "[": "(",
  "]": ")",
  "{": "(",
  "}": ")",
  "`": "'",
  "|": "/",
};
