import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  countBits,
  countBitsetWords,
  gatherPostings,
  getStrength,
  hasOrdinal,
  isDense,
  joinPostings,
  type Postings,
} from "../../../../src/search/generation/postings.ts";
import { rounds } from "../../../long.ts";

const developers = 300;

/** Strengths by ordinal, as a generation would hold them; as bits if they are many. */
function postingsOf(held: ReadonlyMap<number, number>, isWithStrengths: boolean): Postings {
  const ordinals = Uint32Array.from([...held.keys()].sort((a, b) => a - b));
  const count = ordinals.length;
  if (!isDense(count, developers)) {
    const strengths = Uint8Array.from(ordinals, (ordinal) => held.get(ordinal) ?? 0);
    return { count, ordinals, strengths: isWithStrengths ? strengths : undefined };
  }
  const bits = new Uint32Array(countBitsetWords(developers));
  const strengths = new Uint8Array(developers);
  for (const [ordinal, strength] of held) {
    bits[ordinal >>> 5] = (bits[ordinal >>> 5] as number) | (1 << (ordinal & 31));
    strengths[ordinal] = strength;
  }
  return { count, bits, strengths: isWithStrengths ? strengths : undefined };
}

const ordinal = fc.integer({ min: 0, max: developers - 1 });
const held = fc
  .array(fc.tuple(ordinal, fc.integer({ min: 1, max: 100 })), { maxLength: 80 })
  .map((entries) => new Map(entries));
const list = fc.tuple(held, fc.boolean());

describe("lists of people", () => {
  test("joined have everybody of each, with the greatest strength", () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 3 }), (lists) => {
        const expected = new Map<number, number>();
        for (const [entries, isWithStrengths] of lists) {
          for (const [at, strength] of entries) {
            const own = isWithStrengths ? strength : 30;
            expected.set(at, Math.max(own, expected.get(at) ?? 0));
          }
        }
        const postings = lists.map(([entries, isWith]) => postingsOf(entries, isWith));
        const joined = joinPostings(postings, 30);
        expect(joined.count).toBe(expected.size);
        const gathered = gatherPostings(postings);
        expect(gathered.count).toBe(expected.size);
        for (let at = 0; at < developers; at++) {
          expect(hasOrdinal(joined, at)).toBe(expected.has(at));
          expect(getStrength(joined, at)).toBe(expected.get(at) ?? 0);
          expect(hasOrdinal(gathered, at)).toBe(expected.has(at));
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  test("as bits are counted exactly", () => {
    fc.assert(
      fc.property(fc.uint32Array(), (words) => {
        const digits = [...words].map((word) => word.toString(2)).join("");
        expect(countBits(words)).toBe(digits.replaceAll("0", "").length);
      }),
    );
  });
});
