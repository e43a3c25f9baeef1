/** Holds docs/security.md and docs/reliability.md: each row of their lists is there, and so is each test that it names. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

test.each([
  ["docs/security.md", 64],
  ["docs/reliability.md", 27],
])("each row of %s is there, and held by tests that exist", (page, least) => {
  const text = readFileSync(join(root, page), "utf8");
  const rows = [...text.matchAll(/^\| (\d+) \| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm)];
  expect(rows.length).toBeGreaterThanOrEqual(least);
  expect(rows.map(([, number]) => Number(number))).toEqual(rows.map((_, at) => at + 1));
  const missing = rows.flatMap(([, number, held = ""]) =>
    held
      .split(";")
      .filter((each) => {
        const [, file, name = ""] = /^(test\/[\w./-]+) "([^"]+)"$/.exec(each.trim()) ?? [];
        return !file || !readFileSync(join(root, file), "utf8").includes(name);
      })
      .map((each) => `${number}: ${each}`),
  );
  expect(missing).toEqual([]);
});
