import { expect, test } from "bun:test";
import { join } from "node:path";
import {
  LateWords,
  type PieceReader,
  readSections,
  TextTable,
} from "../../src/places/gazetteer-file.ts";
import { createRandom, drawSeed } from "../random.ts";

const shipped = join(import.meta.dir, "../../seed/gazetteer.bin");

async function openShipped(): Promise<{ read: PieceReader; taken: () => number }> {
  const bytes = await Bun.file(shipped).arrayBuffer();
  let taken = 0;
  const read: PieceReader = (from, to) => {
    taken += to - from;
    return bytes.slice(from, to);
  };
  return { read, taken: () => taken };
}

test("a few names are found without a copy of the file", async () => {
  const { read, taken } = await openShipped();
  const { keys, keyEnds } = readSections(read);
  const table = new TextTable(keyEnds, keys);
  for (const name of ["berlin", "sao paulo", "no such place"]) table.find(name);
  expect(table.at(table.find("berlin"))).toBe("berlin");
  expect(table.find("no such place")).toBe(-1);
  expect(taken()).toBeLessThan(100_000);
});

test("a table answers the same by pieces and whole", async () => {
  const { read } = await openShipped();
  const open = () => {
    const { keys, keyEnds } = readSections(read);
    return { keys, keyEnds, table: new TextTable(keyEnds, keys) };
  };
  const { keys, keyEnds, table: whole } = open();
  keys.whole();
  keyEnds.whole();
  const draw = createRandom(drawSeed("names of the gazetteer"));
  for (let round = 0; round < 200; round++) {
    const row = Math.floor(draw() * whole.length);
    const name = round % 3 === 0 ? `${whole.at(row)}x` : whole.at(row);
    const { table } = open();
    expect([table.find(name), table.firstFrom(name)]).toEqual([
      whole.find(name),
      whole.firstFrom(name),
    ]);
  }
});

test("a section that is asked often is read once, and gives the same", () => {
  const numbers = Uint32Array.from({ length: 1000 }, (_, at) => at * 7);
  const sizes: number[] = [];
  const read: PieceReader = (from, to) => {
    sizes.push(to - from);
    return numbers.buffer.slice(from, to);
  };
  const section = new LateWords({ read, bytes: numbers.byteLength });
  for (let round = 0; round < 3; round++) {
    for (let at = -1; at <= 1000; at++) expect(section.at(at)).toBe(numbers[at] ?? 0);
  }
  expect(sizes.filter((size) => size > 4)).toEqual([4000]);
  expect([...section.slice(3, 5)]).toEqual([21, 28]);
});
