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
  ["docs/security.md", 40],
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

test("each of the 46 items of docs/security.md is held by a row, a fault or a test that exists", () => {
  const text = readFileSync(join(root, "docs/security.md"), "utf8");
  const items = [...text.matchAll(/^\| (\d+) \| [^|]+ \| ([^|]+) \|$/gm)];
  expect(items.map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 46 }, (_, at) => at + 1),
  );
  const known = new Set([
    ...readRows("docs/security.md").map(({ number }) => `row ${number}`),
    ...readRows("docs/reliability.md").map(({ number }) => `fault ${number}`),
  ]);
  const missing = items.flatMap(([, number, held = ""]) =>
    held
      .split("; ")
      .filter((each) => {
        const [, file, name] = /^(test\/[\w./-]+) "([^"]+)"$/.exec(each.trim()) ?? [];
        if (!file) return !known.has(each.trim());
        return !readFileSync(join(root, file), "utf8").includes(name as string);
      })
      .map((each) => `${number}: ${each}`),
  );
  expect(missing).toEqual([]);
});
