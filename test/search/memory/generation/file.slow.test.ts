import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { buildGeneration } from "../../../../src/search/generation/build.ts";
import { readGeneration, writeGeneration } from "../../../../src/search/generation/file.ts";
import type { Generation } from "../../../../src/search/generation/generation.ts";
import { rounds } from "../../../long.ts";
import { toFeatureRow } from "../../../pool/ranked-rows.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { inOneBatch, places, pools, type Row } from "../../small-world.ts";

const folder = makeFolder("generation");

const made = { revision: 7, edition: "test" };

function build(rankingFeatures: readonly Row[]): Promise<Generation> {
  return buildGeneration({
    rankingFeatures: inOneBatch(rankingFeatures.map(toFeatureRow)),
    ancestors: places.ancestors,
    made,
  });
}

function faultOf(bytes: Uint8Array | string, wanted = made): string | undefined {
  const path = join(folder, "damaged.index");
  writeFileSync(path, bytes);
  const found = readGeneration(path, wanted);
  return "fault" in found ? found.fault : undefined;
}

const someRows = fc.sample(pools, { seed: 1, numRuns: 20 }).find((rows) => rows.length > 20) ?? [];
const whole = new Uint8Array((await build(someRows)).buffer);

describe("a generation's file", () => {
  test("reads back as it was built, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(pools, async (rows) => {
        const built = await build(rows);
        const path = join(folder, "round-trip.index");
        writeGeneration(path, built);
        const read = readGeneration(path, made);
        if ("fault" in read) throw new Error(read.fault);
        expect(Buffer.from(read.buffer).equals(Buffer.from(built.buffer))).toBe(true);
        expect(read.revision).toBe(7);
        expect(read.developers).toBe(rows.length);
        expect(read.postings("place:europe").count).toBe(built.postings("place:europe").count);
      }),
      { numRuns: rounds(50) },
    );
  });

  test("is refused when any one bit of it is different", () => {
    expect(faultOf(whole)).toBeUndefined();
    // The gap beside the form's number is neither read nor summed; everything else is.
    const bits = fc.integer({ min: 0, max: whole.length * 8 - 1 });
    fc.assert(
      fc.property(
        bits.filter((bit) => bit < 12 * 8 || bit >= 16 * 8),
        (bit) => {
          const damaged = whole.slice();
          damaged[bit >>> 3] = (damaged[bit >>> 3] as number) ^ (1 << (bit & 7));
          expect(faultOf(damaged)).toBeString();
        },
      ),
      { numRuns: rounds(500) },
    );
    for (let bit = 0; bit < 12 * 8; bit++) {
      const damaged = whole.slice();
      damaged[bit >>> 3] = (damaged[bit >>> 3] as number) ^ (1 << (bit & 7));
      expect(faultOf(damaged)).toBeString();
    }
  });

  test("is refused at every length but its own", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length - 1 }), (length) => {
        expect(faultOf(whole.slice(0, length))).toBeString();
      }),
    );
    expect(faultOf(new Uint8Array([...whole, 0]))).toBeString();
    expect(faultOf("")).toBe("is truncated");
  });

  test("is refused when it is something else", () => {
    expect(faultOf("x".repeat(5000))).toBe("is not a search index");
    expect(faultOf(new Uint8Array(5000))).toBe("is not a search index");
    expect(readGeneration(join(folder, "nowhere.index"), made)).toEqual({ fault: "is missing" });
    expect(readGeneration(folder, made)).toEqual({ fault: expect.stringContaining("be read") });
  });

  test("is refused when it was made before people could be found by repository", () => {
    const older = whole.slice();
    new DataView(older.buffer).setUint32(8, 1, true);
    expect(faultOf(older)).toBe("has form 1, not 6");
  });

  test("is refused when the pool has moved on or another version made it", () => {
    expect(faultOf(whole, { ...made, revision: 8 })).toBe(
      "is of revision 7, but the pool is of revision 8",
    );
    expect(faultOf(whole, { ...made, edition: "next" })).toBe("is another version's");
  });

  test("replaces the one before in one step, readable by its owner only, and leaves nothing behind", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    const path = join(own, "search.index");
    writeFileSync(`${path}.4711.tmp`, "what a killed process left");
    writeGeneration(path, await build([]));
    writeGeneration(path, await build(someRows));
    expect(readdirSync(own)).toEqual(["search.index"]);
    expect(Buffer.from(readFileSync(path)).equals(Buffer.from(whole))).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("that cannot be written leaves the old one in place", async () => {
    const own = mkdtempSync(join(folder, "full-"));
    const built = await build([]);
    expect(() => writeGeneration(join(own, "no-folder", "search.index"), built)).toThrow();
    expect(readdirSync(own)).toEqual([]);
  });
});

describe("a generation", () => {
  test("is the same, byte for byte, in whatever order the pool gives its people", async () => {
    await fc.assert(
      fc.asyncProperty(
        pools.chain((rows) =>
          fc.tuple(fc.constant(rows), fc.shuffledSubarray([...rows], { minLength: rows.length })),
        ),
        async ([rows, shuffled]) => {
          expect(
            Buffer.from((await build(shuffled)).buffer).equals(
              Buffer.from((await build(rows)).buffer),
            ),
          ).toBe(true);
        },
      ),
    );
  });
});
