import { expect, test } from "bun:test";
import fc from "fast-check";
import { listNearWords } from "../../src/identity/near-words.ts";
import { rounds } from "../long.ts";

/** The steps between two words, each a letter added, removed, replaced or swapped with the next, counted by their table. */
function countSlips(from: readonly string[], to: readonly string[]): number {
  const steps = Array.from({ length: from.length + 1 }, (_, row) =>
    Array.from({ length: to.length + 1 }, (_, column) =>
      row === 0 ? column : column === 0 ? row : 0,
    ),
  );
  const at = (row: number, column: number) => steps[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row++) {
    for (let column = 1; column <= to.length; column++) {
      const [a, b] = [from[row - 1], to[column - 1]];
      const isSwapped = row > 1 && column > 1 && a === to[column - 2] && b === from[row - 2];
      (steps[row] as number[])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (a === b ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(from.length, to.length);
}

const letters = ["a", "b", "n", "z"] as const;
const word = fc.array(fc.constantFrom(...letters), { minLength: 2, maxLength: 6 });

test("words of an alphabet are near each other if one slip makes one of the other", () => {
  fc.assert(
    fc.property(word, word, (asked, other) => {
      const isNear = listNearWords(asked.join("")).has(other.join(""));
      expect(isNear).toBe(asked.length > 2 && countSlips(asked, other) === 1);
    }),
    { numRuns: rounds(2000) },
  );
});

test("each script has its letters, and those without an alphabet are dropped, doubled and swapped", () => {
  expect(listNearWords("гагрин").has("гагарин")).toBe(true);
  expect(listNearWords("σωκρτης").has("σωκρατης")).toBe(true);
  expect([...listNearWords("王小明")].sort()).toEqual(
    ["小明", "王明", "王小", "小王明", "王明小", "王王小明", "王小小明", "王小明明"].sort(),
  );
});

test("nothing is near a word of two letters, or one that is too long to be one", () => {
  for (const text of ["", "a", "ab", "a".repeat(41)]) expect(listNearWords(text).size).toBe(0);
});
