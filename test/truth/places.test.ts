import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { truthOfPlaces } from "../../scripts/measure/truth/places.ts";

const root = join(import.meta.dir, "../..");
const labelled = join(root, "../shared/data/locations-dev.tsv");

test.skipIf(!existsSync(labelled))(
  "profile texts of real people are placed within the bars (skipped where the labelled set is absent)",
  async () => {
    const { rows, misses } = await truthOfPlaces(labelled);
    expect({ missed: rows.filter((row) => !row.met), misses }).toMatchObject({ missed: [] });
  },
);

test("some six hundred invented texts of the same kind are nearly all placed right", async () => {
  const { rows } = await truthOfPlaces(join(import.meta.dir, "fixtures/locations-own.tsv"));
  for (const { value } of rows) expect(value).toBeGreaterThanOrEqual(0.99);
});

test("a file that is no truth is refused with its line", () => {
  expect(truthOfPlaces(join(root, "package.json"))).rejects.toThrow(
    "package.json:1: the first line",
  );
  expect(truthOfPlaces(join(root, "absent.tsv"))).rejects.toThrow("no such file");
});
