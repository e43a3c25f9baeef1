/**
 * Folds a name for comparison, everywhere in this module and in the gazetteer's table: decomposed, lower case,
 * without accents and apostrophes, every other sign a space, "saint" as "st". Scripts stay as they are.
 */
export function foldPlaceName(text: string): string {
  const spaced = isPlain.test(text) ? spacePlain(text.toLowerCase()) : space(withoutAccents(text));
  return spaced
    .replace(/\b(?:saint|sankt|sint)\b/g, "st")
    .replace(/\bsainte\b/g, "ste")
    .replace(/\bmount\b/g, "mt")
    .replace(/\bfort\b/g, "ft")
    .trim()
    .replace(/^the /, "");
}

function space(text: string): string {
  return text
    .replace(/[.'’‘ʼ`´ʻ]/gu, "")
    .replace(/&/g, " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ");
}

/** The same for ASCII, without the classes of Unicode, which take half a millisecond to compile. */
function spacePlain(text: string): string {
  return text
    .replace(/[.'`]/g, "")
    .replace(/&/g, " and ")
    .replace(/[^a-z0-9]+/g, " ");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant, the quick path.
const isPlain = /^[\x00-\x7f]*$/;

/** Letters that Unicode does not decompose. */
const byHand: Record<string, string> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  ı: "i",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ǝ: "e",
  ə: "e",
  ʹ: "",
  ʺ: "",
};
const byHandPattern = /[ßøłıđðþæœħŧŋǝəʹʺ]/gu;

function withoutAccents(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/\p{Mn}/gu, "")
    .replace(byHandPattern, (letter) => byHand[letter] ?? letter);
}
