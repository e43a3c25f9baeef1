import { expect, test } from "bun:test";
import fc from "fast-check";
import { buildGeneration } from "../../../../src/search/generation/build.ts";
import type { Generation } from "../../../../src/search/generation/generation.ts";
import { mergeGenerations } from "../../../../src/search/generation/merge-generations.ts";
import { rounds } from "../../../long.ts";
import { toStandingRow } from "../../../pool/ranked-rows.ts";
import { inOneBatch, places, pools, type Row } from "../../small-world.ts";

const made = { revision: 7, edition: "test" };

function build(rows: readonly Row[]): Promise<Generation> {
  return buildGeneration({
    rankingFeatures: inOneBatch(rows.map(toStandingRow)),
    ancestors: places.ancestors,
    made,
  });
}

/** 1 for each one who is left out, by ordinal. */
function leaveOut({ columns }: Generation, isLeftOut: (rowId: number) => boolean): Uint8Array {
  return Uint8Array.from(columns.rowIds, (rowId) => (isLeftOut(rowId) ? 1 : 0));
}

test("generations of some people each, without some of them, merge into the one of all others, byte for byte", async () => {
  const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 4 });
  const gone = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 8 }));
  await fc.assert(
    fc.asyncProperty(pools, cuts, gone, async (rows, at, [every, rest]) => {
      const isLeftOut = (rowId: number) => every > 1 && rowId % every === rest;
      const edges = [
        0,
        ...at.filter((cut) => cut < rows.length).sort((a, b) => a - b),
        rows.length,
      ];
      const parts = await Promise.all(
        edges.slice(1).map(async (end, part) => {
          const generation = await build(rows.slice(edges[part], end));
          return { generation, gone: part % 2 === 0 ? leaveOut(generation, isLeftOut) : undefined };
        }),
      );
      const kept = parts.flatMap(({ generation, gone }) =>
        [...generation.columns.rowIds].filter((_, ordinal) => gone?.[ordinal] !== 1),
      );
      const whole = await build(rows.filter(({ rowId }) => kept.includes(rowId)));
      const merged = mergeGenerations(parts, made);
      expect(Buffer.from(merged.buffer).equals(Buffer.from(whole.buffer))).toBe(true);
    }),
    { numRuns: rounds(200) },
  );
});
