/** No similar words are listed for a word with fewer letters. */
const lettersMin = 3;
const lettersMax = 40;

const alphabets = [
  "abcdefghijklmnopqrstuvwxyz",
  "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ",
  "αβγδεζηθικλμνξοπρστυφχψως",
];

/** Lists the words that differ from a word by one typing mistake. The list is empty for a very short or very long word. */
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
