import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  countTexts,
  groupByBeginning,
  groupByHash,
  takeBeginnings,
  takeHolders,
  takeLikely,
} from "../../../src/search/memory/text-buckets.ts";
import { rounds } from "../../long.ts";

/** Letters with codes of their own, and signs that share some. */
const letters = ["a", "b", "z", "1", "-", "é", "王", "李", "z", "a"];
const text = fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((each) => each.join(""));
const tags = ["\x01", "\x02", " "] as const;
const tagged = fc.tuple(fc.constantFrom(...tags), text).map(([tag, own]) => tag + own);
const people = fc.array(fc.array(tagged, { maxLength: 4 }), { maxLength: 30 });

function toRun(texts: readonly (readonly string[])[]) {
  const parts = texts.map((own) => Buffer.from(own.join("")));
  const starts = new Uint32Array(parts.length + 1);
  for (const [at, { length }] of parts.entries()) starts[at + 1] = (starts[at] as number) + length;
  return { bytes: Buffer.concat(parts), starts, separator: 0x20 };
}

/** By ordinal, ascending. */
const sorted = (ordinals: Iterable<number>) => [...new Set(ordinals)].sort((a, b) => a - b);
const whoHas = (texts: readonly (readonly string[])[], isIt: (each: string) => boolean): number[] =>
  texts.flatMap((own, at) => (own.some(isIt) ? [at] : []));

test("whoever has a text that begins so is taken, and whether it is whole", async () => {
  await fc.assert(
    fc.asyncProperty(people, tagged, async (texts, asked) => {
      const run = toRun(texts);
      const buckets = await groupByBeginning(run);
      const [begun, whole]: [number[], number[]] = [[], []];
      takeBeginnings(run, buckets, asked, (ordinal, isWhole) => {
        begun.push(ordinal);
        if (isWhole) whole.push(ordinal);
      });
      expect(sorted(begun)).toEqual(whoHas(texts, (each) => each.startsWith(asked)));
      expect(sorted(whole)).toEqual(whoHas(texts, (each) => each === asked));
      for (const [at, own] of texts.entries()) {
        expect(countTexts(run, at, Buffer.from(asked))).toEqual({
          begun: own.filter((each) => each.startsWith(asked)).length,
          whole: own.filter((each) => each === asked).length,
        });
      }
    }),
    { numRuns: rounds(500) },
  );
});

test("whoever has one of several texts is among the likely ones", async () => {
  await fc.assert(
    fc.asyncProperty(people, fc.array(text, { maxLength: 5 }), async (texts, asked) => {
      const run = toRun(texts);
      const likely: number[] = [];
      takeLikely(run, await groupByBeginning(run), new Set(asked), " ", (at) => likely.push(at));
      const right = whoHas(texts, (each) => each.startsWith(" ") && asked.includes(each.slice(1)));
      expect(sorted(likely)).toEqual(expect.arrayContaining(right));
    }),
  );
});

test("whoever has just this text is taken", async () => {
  await fc.assert(
    fc.asyncProperty(people, tagged, async (texts, asked) => {
      const run = toRun(texts);
      const taken: number[] = [];
      takeHolders(run, await groupByHash(run), asked, (ordinal) => taken.push(ordinal));
      expect(sorted(taken)).toEqual(whoHas(texts, (each) => each === asked));
    }),
    { numRuns: rounds(500) },
  );
});
