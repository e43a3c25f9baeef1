/**
 * Splits a name into words by which people are found and their spellings compared: decomposed, in lower case, without accents
 * and apostrophes; every other sign separates. Scripts stay as they are.
 */
export function splitNameWords(name: string): readonly string[] {
  const words = isPlain.test(name) ? name.toLowerCase() : withoutAccents(name);
  return words
    .replace(/['’‘ʼ`´ʻ]/gu, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

const isPlain = /^[ -~]*$/;

/** Letters that Unicode does not decompose. */
const byHand: Readonly<Record<string, string>> = {
  ...{ ß: "ss", ø: "o", ł: "l", ı: "i", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ħ: "h" },
  ...{ ŧ: "t", ŋ: "n", ə: "e" },
};

function withoutAccents(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mn}/gu, "")
    .normalize("NFC")
    .replace(/[ßøłıđðþæœħŧŋə]/gu, (letter) => byHand[letter] ?? letter);
}
