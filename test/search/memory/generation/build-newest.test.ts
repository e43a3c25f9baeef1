import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { buildGeneration } from "../../../../src/search/generation/build.ts";
import { buildNewest } from "../../../../src/search/generation/build-newest.ts";
import type { Generation } from "../../../../src/search/generation/generation.ts";
import { rounds } from "../../../long.ts";
import { toFeatureRow } from "../../../pool/ranked-rows.ts";
import { inOneBatch, places, poolOf, pools, type Row } from "../../small-world.ts";

const { ancestors } = places;
const edition = "test";

const build = (rows: readonly Row[], revision: number) =>
  buildGeneration({
    rankingFeatures: inOneBatch(rows.map(toFeatureRow)),
    ancestors,
    made: { revision, edition },
  });

const buildAnew = (previous: Generation | undefined, rows: readonly Row[], revision: number) =>
  buildNewest({
    pool: poolOf(() => ({ rows, revision })),
    ancestors,
    edition,
    previous,
    rowsPerPart: 70,
  });

const isSame = (a: Generation, b: Generation) =>
  Buffer.from(a.buffer).equals(Buffer.from(b.buffer));

describe("the newest generation", () => {
  test("is the same, byte for byte, in whatever parts the rows are read", async () => {
    await fc.assert(
      fc.asyncProperty(pools, async (rows) => {
        expect(isSame(await buildAnew(undefined, rows, 1), await build(rows, 1))).toBe(true);
      }),
      { numRuns: rounds(50) },
    );
  });

  test("is the one before when the pool has not changed", async () => {
    const generation = await buildAnew(undefined, [], 1);
    expect(await buildAnew(generation, [], 1)).toBe(generation);
  });

  test("has no byte of who left", async () => {
    const people = ["Erased-Person", "staying"].map(
      (login, at): Row => ({
        rowId: at + 1,
        standing: {
          ...{ login, searchable: true, profile: 50, activity: 50, techStack: 50 },
          ...{ experienceTenths: 50, hireable: false, places: ["berlin"], roles: [], concepts: [] },
          words: [`word-of-${login.toLowerCase()}`],
          repositories: [{ name: `${login}/dotfiles` }],
          weakConcepts: [],
        },
      }),
    );
    const generation = await buildAnew(undefined, people, 1);
    const hasBytes = ({ buffer }: Generation) =>
      Buffer.from(buffer).toString("utf16le").toLowerCase().includes("erased-person");
    expect(hasBytes(generation)).toBe(true);
    expect(hasBytes(await buildAnew(generation, people.slice(1), 2))).toBe(false);
  });
});
