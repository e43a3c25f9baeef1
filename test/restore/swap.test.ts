import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { finishInterruptedRestore, listDatabaseFiles, swapFiles } from "../../src/restore/swap.ts";
import { lockFolder } from "../../src/sqlite/folder/folder-lock.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const old = ["control.db", "control.db-wal", "control.mark", "pool.db", "search.index"];
const restored = ["control.db", "control.mark", "ingest.db", "pool.db"];
const swap = { keptIn: "before-restore-test", old, restored };

function makeFolder(): string {
  const folder = newFolder();
  mkdirSync(join(folder, "restoring"));
  for (const name of old) writeFileSync(join(folder, name), `old ${name}`);
  for (const name of restored) writeFileSync(join(folder, "restoring", name), `new ${name}`);
  return folder;
}

function expectRestored(folder: string): void {
  expect([...listDatabaseFiles(folder)].sort()).toEqual([...restored].sort());
  for (const name of restored) {
    expect(readFileSync(join(folder, name), "utf8")).toBe(`new ${name}`);
  }
  for (const name of old) {
    expect(readFileSync(join(folder, swap.keptIn, name), "utf8")).toBe(`old ${name}`);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("restoring"))).toEqual([]);
}

/** A crash after so many renames. */
function crashAfter(folder: string, renames: number): void {
  const crash = () => {
    throw new Error("crash");
  };
  expect(() => swapFiles(folder, swap, crash)).toThrow("crash");
  const moves = [
    ...old.map((name) => [name, join(swap.keptIn, name)]),
    ...restored.map((name) => [join("restoring", name), name]),
  ];
  for (const [from = "", to = ""] of moves.slice(0, renames)) {
    renameSync(join(folder, from), join(folder, to));
  }
}

for (let renames = 0; renames <= old.length + restored.length; renames++) {
  test(`a swap that ended after ${renames} renames is finished by whoever opens the folder next`, () => {
    const folder = makeFolder();
    crashAfter(folder, renames);
    expect(finishInterruptedRestore(folder)).toBe(true);
    expectRestored(folder);
    expect(finishInterruptedRestore(folder)).toBe(false);
  });
}

test("a restore that had not begun to replace files is forgotten", () => {
  const folder = makeFolder();
  expect(finishInterruptedRestore(folder)).toBe(false);
  expect(existsSync(join(folder, "restoring"))).toBe(false);
  expect(readFileSync(join(folder, "pool.db"), "utf8")).toBe("old pool.db");
});

test("nobody opens a folder that is being restored", () => {
  const folder = makeFolder();
  const lock = lockFolder(folder);
  expect(() => finishInterruptedRestore(folder)).toThrow("is being restored");
  lock.release();
});
