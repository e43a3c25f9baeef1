/** Splits a name into words in lower case, without accents and apostrophes. All other punctuation marks separate words. */
export function splitNameWords(name: string): readonly string[] {
  const words = isPlain.test(name) ? name.toLowerCase() : withoutAccents(name);
  return words
    .replace(/['’‘ʼ`´ʻ]/gu, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/**
 * Lists further search terms of a name. `Anna-Maria` adds `annamaria`. A word in a script without spaces adds its endings: 田中太郎
 * adds 太郎, the given name.
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
/** A longer word in a script without spaces is no name. */
const unspacedMax = 12;

const isPlain = /^[ -~]*$/;

/** The replacements of letters that Unicode does not decompose. */
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
