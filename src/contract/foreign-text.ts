/**
 * Text that others wrote (a bio, a repository's name, a folder, what git said), fit to be shown. It is data: it
 * keeps its words and loses every means to look like anything else, to a terminal, to a log, to a language model.
 */

/** For terminals and logs: one line that moves no cursor, colours nothing, hides nothing and reads in one direction. */
export function toPrintable(text: string): string {
  return text.toWellFormed().replace(unprintable, " ");
}

/** For JSON on its way there: the same data, with what could not be shown written as escapes. Line ends stay. */
export function toPrintableJson(json: string): string {
  return json.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (letter) =>
    letter
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Controls, line ends, and letters that are invisible, turn the direction of reading or belong to nobody. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** Longer texts are cut where a model reads a compact text. */
const lettersMax = 160;

/**
 * For models, in quotes: whatever people write themselves. It can neither end its quotes, begin a line, form a tag,
 * a fence, a link or an image, nor hide letters.
 */
export function quoteForModel(text: string): string {
  return `"${cleanForModel(text).replaceAll('"', "'")}"`;
}

/** For models, without quotes: only for our own words, and for what was held against a narrow form (logins, dates). */
export function cleanForModel(text: string, max = lettersMax): string {
  return shortened(
    seen(text).replace(marks, (mark) => harmless[mark] as string),
    max,
  );
}

/** For models: a URL or an e-mail address. Marks are percent-encoded, so it leads where it did; what has spaces is words. */
export function cleanAddressForModel(text: string, max = lettersMax): string {
  const address = seen(text);
  return address.includes(" ")
    ? cleanForModel(text, max)
    : shortened(address.replace(marks, encode), max);
}

function seen(text: string): string {
  return text.toWellFormed().replace(unseen, " ").trim();
}

function shortened(text: string, max: number): string {
  const letters = [...text];
  return letters.length > max ? `${letters.slice(0, max).join("").trimEnd()}…` : text;
}

/** What tags, fences, links, images and tables are made of. */
const marks = /[<>[\]{}`|]/g;
const encode = (mark: string) => encodeURIComponent(mark);

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
