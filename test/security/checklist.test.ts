/** Holds docs/security.md and docs/reliability.md: each row of their lists is there, and so is each test that it names. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

function readRows(page: string) {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^\| (\d+) \| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)].map(
    ([, number, promise, held]) => ({ number: Number(number), promise, held: held as string }),
  );
}

describe.each([
  ["docs/security.md", 62],
  ["docs/reliability.md", 27],
])("each row of %s is held by tests that exist", (page, least) => {
  const rows = readRows(page);

  test("no row is missing", () => {
    expect(rows.length).toBeGreaterThanOrEqual(least);
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1));
  });

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
