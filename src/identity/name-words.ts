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

/**
 * What people search for besides the words of a name: the end of a word in a script without spaces, such as the given name of 田中太郎,
 * and words together that a hyphen separates, or in such a script a space.
 */
export function listNameParts(name: string): readonly string[] {
  const words = splitNameWords(name);
  const isUnspaced = words.every((word) => unspaced.test(word));
  const ends = words.flatMap((word) => {
    const letters = [...word];
    if (!unspaced.test(word) || letters.length > unspacedMax) return [];
    return letters.slice(1).map((_, at) => letters.slice(at + 1).join(""));
  });
  const joined = isUnspaced ? [words] : name.split(/\s+/).map(splitNameWords);
  return [...ends, ...joined.flatMap((some) => (some.length > 1 ? [some.join("")] : []))];
}

const unspaced =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+$/u;
/** Longer words are no names. */
const unspacedMax = 12;

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
