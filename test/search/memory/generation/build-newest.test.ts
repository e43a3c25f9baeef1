import { expect, test } from "bun:test";
import fc from "fast-check";
import { buildGeneration } from "../../../../src/search/generation/build.ts";
import { buildNewest } from "../../../../src/search/generation/build-newest.ts";
import { rounds } from "../../../long.ts";
import { toFeatureRow } from "../../../pool/ranked-rows.ts";
import { inOneBatch, places, poolOf, pools } from "../../small-world.ts";

test("the newest generation is the same, byte for byte, in whatever parts the rows are read", async () => {
  const made = { revision: 1, edition: "test" };
  const { ancestors } = places;
  await fc.assert(
    fc.asyncProperty(pools, async (rows) => {
      const pool = poolOf(() => ({ rows, ...made }));
      const inParts = { pool, ancestors, edition: "test", previous: undefined, rowsPerPart: 70 };
      const newest = await buildNewest(inParts);
      const rankingFeatures = inOneBatch(rows.map(toFeatureRow));
      const built = await buildGeneration({ rankingFeatures, ancestors, made });
      expect(Buffer.from(newest.buffer).equals(Buffer.from(built.buffer))).toBe(true);
    }),
    { numRuns: rounds(50) },
  );
});
