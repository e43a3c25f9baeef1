/** Lists words with one typing mistake: a letter missing, added, wrong, doubled or swapped with the next. */

/** Shorter words are similar to too many other words. */
const lettersMin = 3;
const lettersMax = 40;

/** The letters to add or replace, by the script of the word. */
const alphabets = [
  "abcdefghijklmnopqrstuvwxyz",
  "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ",
  "αβγδεζηθικλμνξοπρστυφχψως",
];

/**
 * Lists the words that differ from a folded word by one typing mistake. Empty for words of fewer than 3 or more than 40 letters.
 * In scripts that `alphabets` lacks, letters are only swapped, dropped and doubled.
 */
export function listNearWords(word: string): ReadonlySet<string> {
  const near = new Set<string>();
  const letters = [...word];
  if (letters.length < lettersMin || letters.length > lettersMax) return near;
  const alphabet = alphabets.find((each) => letters.some((letter) => each.includes(letter))) ?? "";
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at).join(""), letters.slice(at).join("")];
    const [letter, next] = letters.slice(at, at + 2);
    const rest = letters.slice(at + 1).join("");
    for (const other of alphabet) {
      near.add(before + other + after);
      if (letter !== undefined) near.add(before + other + rest);
    }
    if (letter === undefined) continue;
    near.add(before + rest);
    near.add(before + letter + after);
    if (next !== undefined) near.add(before + next + letter + letters.slice(at + 2).join(""));
  }
  near.delete(word);
  return near;
}
