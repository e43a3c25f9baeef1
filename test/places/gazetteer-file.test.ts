import { expect, test } from "bun:test";
import { TextTable } from "../../src/places/gazetteer-file.ts";

test("a table finds each of its texts, and where others would stand", () => {
  const texts = ["berlin", "bern", "sao paulo", "łódź", "москва", "東京"];
  const sorted = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const ends = [0];
  for (const text of sorted) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(text));
  const table = new TextTable(Uint32Array.from(ends), Buffer.from(sorted.join("")));
  for (const [row, text] of sorted.entries()) {
    expect([table.find(text), table.at(row)]).toEqual([row, text]);
    expect([table.find(`${text}x`), table.firstFrom(`${text}x`)]).toEqual([-1, row + 1]);
  }
  expect([table.find(""), table.firstFrom(""), table.firstFrom("\u{10ffff}")]).toEqual([-1, 0, 6]);
});
