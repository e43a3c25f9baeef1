import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isLong } from "../../long.ts";
import { hasPostgres } from "../../postgres/database.ts";
import { drawSeed } from "../../random.ts";
import { describeSearchAmongThousands, queries } from "../search-index-contract.ts";
import { pools, worldOf } from "../small-world.ts";
import { openIndexWith, smallShape } from "./shared-database.ts";

const worlds = isLong ? 10 : 4;
const queriesOfWorld = isLong ? 100 : 50;

describe.skipIf(!hasPostgres)("the index in the database", () => {
  const openIndex = openIndexWith(smallShape);
  describeSearchAmongThousands(
    openIndexWith({ blockSize: 1024, listMax: 100, sparseMax: 20, plainMin: 100 }),
  );

  test(`gives ${worlds * queriesOfWorld} queries the answers of the index in memory, evidence and suggestions included`, async () => {
    const seed = drawSeed("engines");
    for (const [at, rows] of fc.sample(pools, { numRuns: worlds, seed }).entries()) {
      const [memory, database] = [worldOf(rows).search, worldOf(rows, openIndex).search];
      await Promise.all([memory.refresh(), database.refresh()]);
      for (const query of fc.sample(queries, { numRuns: queriesOfWorld, seed: seed + at })) {
        expect([query, await database.find(query)]).toEqual([query, await memory.find(query)]);
      }
    }
  }, 600_000);
});
