/** A table of files finds the reader of a path. */
import { expect, test } from "bun:test";
import { joinFileTables, listParents } from "../../../../src/ingest/git/evidence/file-table.ts";

const find = joinFileTables(
  { "a.txt b.txt": "named", "*.{txt,in}": "pattern", "[-_]x": "sign" },
  { "*.in": "later", "c/d*.txt": "end" },
);

test("whole names come before patterns, and ends of paths before both", () => {
  expect(["a.txt", "x/b.txt", "x/c.txt", "n.in"].map(find)).toEqual([
    "named",
    "named",
    "pattern",
    "pattern",
  ]);
  expect(["c/d.txt", "x/c/d1.txt", "cc/d.txt"].map(find)).toEqual(["end", "end", "pattern"]);
});

test("other files have no reader", () => {
  expect(["a.txtx", "a_txt", "in", "y-x", "c/d/e", "constructor"].map(find)).toEqual(
    Array.from({ length: 6 }),
  );
  expect(["-x", "f/_x"].map(find)).toEqual(["sign", "sign"]);
});

test("the folders of a path are listed from the nearest", () => {
  expect(listParents("a/b/c.txt")).toEqual(["a/b", "a"]);
  expect(listParents("c.txt")).toEqual([]);
});
