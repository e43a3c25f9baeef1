import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { licences } from "../scripts/seeding/licences.ts";

test("--licenses names every package and data set that is compiled in", () => {
  const shown = readFileSync(join(import.meta.dir, "../seed/licences.txt"), "utf8");
  // Made anew by: bun scripts/seeding/licences.ts
  expect(shown === licences()).toBe(true);
});
