/** Makes text that others wrote safe to show in a terminal, a log or a language model. The words stay the same. */

/** Makes a text safe for a terminal or a log: one line, without control sequences or hidden characters. */
export function toPrintable(text: string): string {
  return text.toWellFormed().replace(unprintable, " ");
}

/** Escapes the unprintable characters of a JSON text. The data stays the same. */
export function toPrintableJson(json: string): string {
  // Most lines are ASCII. For them, searching for unprintable Unicode would take longer than writing the line.
  if (!beyondAscii.test(json)) return json;
  return json.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (letter) =>
    letter
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** All characters except line ends and printable ASCII. */
const beyondAscii = /[^\n\x20-\x7e]/;

/** Control characters, line ends and invisible characters. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]+/gu;

const lettersMax = 160;

/** Quotes text of other people for a model. The result is one line without markup, hidden characters or inner quotes. */
export function quoteForModel(text: string): string {
  return `"${cleanForModel(text).replaceAll('"', "'")}"`;
}

/** Cleans text for a model without quoting it. Use it only for Roster's own words and for checked values such as dates. */
export function cleanForModel(text: string, max = lettersMax): string {
  if (isPlain(text, max)) return text;
  return cut(
    withoutHidden(text).replace(markup, (sign) => harmless[sign] as string),
    max,
  );
}

/** Cleans a URL or e-mail address for a model. Markup is percent-encoded, so the address still works. */
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

/** Words of visible ASCII without markup. Most texts match, and need no cleaning. */
const plain = /^[!-;=?-Z\\^_a-z~]+(?: [!-;=?-Z\\^_a-z~]+)*$/;

function isPlain(text: string, max: number): boolean {
  return text.length <= max && plain.test(text);
}

/**
 * Writes a text as inline HTML code for a comment on a forge. Forges find no mentions or links in code. The result must be inside
 * an HTML block, where forges read no Markdown.
 */
export function quoteForComment(text: string, max = lettersMax): string {
  const coded = cut(withoutHidden(text), max).replace(
    actingSign,
    (sign) => `&#${sign.codePointAt(0)};`,
  );
  return `<code>${coded}</code>`;
}

/** Writes a text as inline HTML for a comment. Plain words stay unchanged, and all other words become code. */
export function cleanForComment(text: string, max = lettersMax): string {
  return cut(withoutHidden(text), max)
    .split(" ")
    .map((word) => (plainWord.test(word) ? word : quoteForComment(word)))
    .join(" ")
    .replaceAll("</code> <code>", " ");
}

/** All characters except letters, numbers, spaces, and the signs that are usual in paths. */
const actingSign = /[^\p{L}\p{M}\p{N} ./_-]/gu;

/** A word or number that forges do not turn into a link. Words such as `defaced` are excluded: they could be commit hashes. */
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

/** Spaces, line ends, control characters and invisible characters. */
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
