/** Holds docs/security.md: each promise of the list is there, and so is each test that it names. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const page = readFileSync(join(root, "docs/security.md"), "utf8");
const rows = [...page.matchAll(/^\| (\d+) \| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)].map(
  ([, number, promise, held]) => ({ number: Number(number), promise, held: held as string }),
);

test("every promise of the list has a line", () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 33 }, (_, at) => at + 1));
});

describe("each promise is held by tests that exist", () => {
  for (const { number, promise, held } of rows) {
    test(`${number}: ${promise}`, () => {
      const named = [...held.matchAll(/(test\/[\w./-]+) "([^"]+)"/g)];
      expect(named.length).toBe(held.split(";").length);
      for (const [, file, name] of named) {
        expect(readFileSync(join(root, file as string), "utf8")).toContain(name as string);
      }
    });
  }
});
