import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { digestProgram, listDecidingFiles } from "../../src/ingest/program-digest.ts";

const root = join(import.meta.dir, "../..");

/** Whatever a file imports, and what that imports, within the project. */
function follow(from: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const left = [...from];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (!path.endsWith(".ts")) continue;
    const text = readFileSync(join(root, path), "utf8");
    for (const [, imported] of text.matchAll(/^(?:import|export)\b[^;]*?from "(\.[^"]+)"/gm)) {
      left.push(relative(root, join(root, dirname(path), imported ?? "")));
    }
  }
  return seen;
}

test("the digest is of all that decides figures: what judging, checking and packing import", () => {
  const deciding = new Set(listDecidingFiles());
  const reached = follow([
    "src/ingest/jsonl/intake.ts",
    "src/analysis/analysis.ts",
    "src/places/places.ts",
    "src/vocabulary/vocabulary.ts",
    "src/pool/rows/pack-developer.ts",
    "src/pool/rows/pack-findable.ts",
  ]);
  const isOpened = (path: string) => path.startsWith("src/sqlite/");
  expect(reached.size).toBeGreaterThan(80);
  expect([...reached].filter((path) => !deciding.has(path) && !isOpened(path))).toEqual([]);
  expect(listDecidingFiles().filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("it is the same in every process, and names no folder of this machine", () => {
  expect(digestProgram()).toBe(digestProgram());
  expect(digestProgram()).toMatch(/^[\w-]{43}$/);
});
