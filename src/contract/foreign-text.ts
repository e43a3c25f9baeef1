/**
 * Makes text that others wrote (a bio, a repository's name, git's output) safe to show in a terminal, a log or a language model. It
 * keeps its words.
 */

/** For terminals and logs: one line without control sequences, hidden characters or changes of reading direction. */
export function toPrintable(text: string): string {
  return text.toWellFormed().replace(unprintable, " ");
}

/** For JSON in a terminal or log: the same data, with unprintable characters escaped. */
export function toPrintableJson(json: string): string {
  // Most lines are ASCII, and searching for unprintable Unicode takes longer than writing one.
  if (!beyondAscii.test(json)) return json;
  return json.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (letter) =>
    letter
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Anything but line ends and what ASCII prints. */
const beyondAscii = /[^\n\x20-\x7e]/;

/** Controls, line ends, and characters that are invisible, change the reading direction, are private or unassigned. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]+/gu;

const lettersMax = 160;

/**
 * For models, in quotes: text that people write themselves. The result cannot end its quotes, begin a line, form a tag, a fence, a link
 * or an image, or hide characters.
 */
export function quoteForModel(text: string): string {
  return `"${cleanForModel(text).replaceAll('"', "'")}"`;
}

/** For models, without quotes: only for Roster's own words, and values of a checked form (logins, dates). */
export function cleanForModel(text: string, max = lettersMax): string {
  if (isPlain(text, max)) return text;
  return cut(
    withoutHidden(text).replace(markup, (sign) => harmless[sign] as string),
    max,
  );
}

/** For models: a URL or an e-mail address. Markup is percent-encoded, so the address still works. Text with spaces counts as words. */
export function cleanAddressForModel(text: string, max = lettersMax): string {
  if (isPlain(text, max)) return text;
  const address = withoutHidden(text);
  return address.includes(" ")
    ? cleanForModel(text, max)
    : cut(
        address.replace(markup, (sign) => encodeURIComponent(sign)),
        max,
      );
}

/** Words of visible ASCII without markup, as most texts are: they stay as they are. */
const plain = /^[!-;=?-Z\\^_a-z~]+(?: [!-;=?-Z\\^_a-z~]+)*$/;

function isPlain(text: string, max: number): boolean {
  return text.length <= max && plain.test(text);
}

/**
 * For a comment on a forge, as inline HTML: the text as code, in which GitHub, GitLab and Gitea find no mentions, references, emoji or
 * links. It must be within an HTML block, where no Markdown is read.
 */
export function quoteForComment(text: string, max = lettersMax): string {
  const coded = cut(withoutHidden(text), max).replace(
    actingSign,
    (sign) => `&#${sign.codePointAt(0)};`,
  );
  return `<code>${coded}</code>`;
}

/** For a comment, as inline HTML: plain words as they are, and every other word as code. */
export function cleanForComment(text: string, max = lettersMax): string {
  return cut(withoutHidden(text), max)
    .split(" ")
    .map((word) => (plainWord.test(word) ? word : quoteForComment(word)))
    .join(" ")
    .replaceAll("</code> <code>", " ");
}

/** Anything but letters, numbers, spaces, and the signs in most paths. */
const actingSign = /[^\p{L}\p{M}\p{N} ./_-]/gu;

/** Words and figures in a sentence. A word of seven letters from a to f could be a commit hash. */
const plainWord =
  /^(?:(?![a-f]{7})\p{L}+(?:['’-]\p{L}+)*|\d{1,6}(?:\.\d)?|\d{4}-\d\d-\d\d|%)[.,;:]?$/iu;

function withoutHidden(text: string): string {
  return text.toWellFormed().replace(hidden, " ").trim();
}

function cut(text: string, max: number): string {
  const letters = [...text];
  return letters.length > max ? `${letters.slice(0, max).join("").trimEnd()}…` : text;
}

const markup = /[<>[\]{}`|]/g;

/**
 * Spaces, line ends and controls; characters that are invisible, change the reading direction, are private or unassigned; and variation
 * selectors and fillers, which can hide text behind any letter.
 */
const hidden = /(?:\p{Z}|\p{C}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}|\u2800)+/gu;

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
