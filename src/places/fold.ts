/**
 * Folds a name for comparison: `São Paulo` becomes `sao paulo`, and `Saint-Denis` becomes `st denis`. Other scripts are not
 * transliterated.
 */
export function foldPlaceName(text: string): string {
  return withoutAccents(text)
    .replace(/[.'’‘ʼ`´ʻ]/gu, "")
    .replace(/&/g, " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/\b(?:saint|sankt|sint)\b/g, "st")
    .replace(/\bsainte\b/g, "ste")
    .replace(/\bmount\b/g, "mt")
    .replace(/\bfort\b/g, "ft")
    .trim()
    .replace(/^the /, "");
}

/** Letters that Unicode does not decompose. */
const byHand: Readonly<Record<string, string>> = {
  ...{ ß: "ss", ø: "o", ł: "l", ı: "i", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ħ: "h" },
  ...{ ŧ: "t", ŋ: "n", ǝ: "e", ə: "e", ʹ: "", ʺ: "" },
};

function withoutAccents(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/\p{Mn}/gu, "")
    .replace(/[ßøłıđðþæœħŧŋǝəʹʺ]/gu, (letter) => byHand[letter] ?? letter);
}
