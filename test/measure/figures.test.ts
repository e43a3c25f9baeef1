/** What `scripts/bench` says of its figures, in its table and in docs/notes/figures.md. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { putFigures, putGrowth } from "../../scripts/measure/document-figures.ts";
import { type BenchRun, keepFigures, readFigures } from "../../scripts/measure/figures-file.ts";
import { atLeast, atMost, type Row } from "../../scripts/measure/rows.ts";

const row: Row = { name: "x.rate", value: 50, unit: "calls/s" };
const against = { what: "a bare one", value: 500 };

function run(bench: string, rows: readonly Row[]): BenchRun {
  const at = "2026-11-22T20:00:00.000Z";
  return { bench, at, commit: "c0ffee", machine: "2 threads", load: 0.1, seconds: 9.6, rows };
}

test("a bar is on the ratio where there is one, on the value otherwise", () => {
  expect(atLeast(40, row).met).toBe(true);
  expect(atLeast(40, { ...row, ratio: 0.1, against }).met).toBe(false);
  expect(atMost(0.2, { ...row, ratio: 0.1, against }).met).toBe(true);
  expect(atMost(50, row).met).toBe(true);
});

test("the document shows every bar and names those that are not met", () => {
  const rows = [
    atLeast(0.4, { ...row, ratio: 0.1, against }),
    atMost(60, { ...row, name: "y" }),
    row,
  ];
  const text = putFigures("before\n<!-- figures -->\nold\n<!-- /figures -->\nafter\n", [
    run("x", rows),
  ]);
  expect(text).toContain(
    "| `x.rate` | 50 calls/s | a bare one: 500 | 0.1 | >= 0.4 | **not met** |",
  );
  expect(text).toContain("| `y` | 50 calls/s |  |  | <= 60 | met |");
  expect(text).toContain("### Bars: 1 of 2 met");
  expect(text).toContain("- `x.rate`: 0.1, 4 times from the bar");
  expect(text).toStartWith("before\n");
  expect(text).toEndWith("<!-- /figures -->\nafter\n");
  expect(text).not.toContain("old");
});

test("engines are shown side by side, each size of its own", () => {
  const rows: Row[] = [
    { name: "growth-10m.developers", value: 10_000_000, unit: "people" },
    { name: "growth-10m.blocks.p99", value: 45.3, unit: "ms" },
    { name: "growth-10m.blocks.country only.p99", value: 1, unit: "ms" },
    { name: "growth-10m.gin.disk", value: 512, unit: "MB" },
  ];
  const before = "a\n<!-- figures -->\nold\n<!-- /figures -->\nb\n";
  const text = putGrowth(before, [run("growth", rows), run("x", [row])]);
  expect(text).toContain("10,000,000 people; 2 threads; load before 0.1.");
  expect(text).toContain("| `blocks` |  |  |  |  | 45.3 ms |  |");
  expect(text).toContain("| `gin` |  |  | 512 MB |  |  |  |");
  expect(text).not.toContain("old");
  expect(putGrowth(before, [run("x", [row])])).toBe(before);
});

test("a document without the marks is left alone", () => {
  expect(() => putFigures("nothing here", [run("x", [])])).toThrow("<!-- figures -->");
});

test("a bench that ran again takes the place of its earlier run", () => {
  const folder = mkdtempSync(join(tmpdir(), "roster-figures-"));
  try {
    const file = join(folder, "bench.json");
    keepFigures([run("a", []), run("b", [])], file);
    keepFigures([run("a", [row])], file);
    expect(readFigures(file)).toEqual([run("b", []), run("a", [row])]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
