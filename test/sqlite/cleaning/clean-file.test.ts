import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanFile, eraseUnused } from "../../../src/sqlite/cleaning/clean-file.ts";
import { emptyLog } from "../../../src/sqlite/empty-log.ts";
import { isLong } from "../../long.ts";
import { temporaryFolders } from "../temporary-folder.ts";
import { countMarks, fill, kind, openMarked, readAll } from "./marked-file.ts";

const newFolder = temporaryFolders();
const rows = 600;

test("what was deleted is gone from the file and its log, and all else is there", () => {
  const path = join(newFolder(), "a.db");
  const file = openMarked(path);
  fill(file, rows);
  emptyLog(file.sqlite);
  const before = readAll(file);
  // Otherwise there is nothing to prove.
  expect(countMarks(path)).toBeGreaterThan(0);
  expect(cleanFile(file, kind)).toBe(true);
  expect(countMarks(path)).toBe(0);
  expect(readAll(file)).toEqual(before);
  file.close();
});

test("another connection does not write back a page that it has in memory", () => {
  const path = join(newFolder(), "a.db");
  const file = openMarked(path);
  fill(file, 150);
  const other = openMarked(path);
  emptyLog(file.sqlite);
  // Since then, so that only the commit after the overwriting tells it that its pages are old.
  const before = readAll(other);
  expect(countMarks(path)).toBeGreaterThan(0);
  expect(eraseUnused(path, kind)).toBe(true);
  const touch = () => {
    other.sqlite.run("UPDATE plain SET id = -id - 1");
    other.sqlite.run("UPDATE keyed SET text = 'x' || substr(text, 2)");
  };
  other.sqlite.transaction(touch).immediate();
  expect(countMarks(path)).toBe(0);
  other.sqlite.run("UPDATE plain SET id = -id - 1");
  emptyLog(other.sqlite);
  expect(countMarks(path)).toBe(0);
  expect(readAll(file)).toEqual({ ...before, keyed: readAll(other).keyed });
  other.close();
  file.close();
});

test("nothing is overwritten while the log holds something, or somebody writes", () => {
  const path = join(newFolder(), "a.db");
  const file = openMarked(path);
  fill(file, 60);
  const bytes = readFileSync(path);
  expect(eraseUnused(path, kind)).toBe(false);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  emptyLog(file.sqlite);
  file.sqlite.run("BEGIN IMMEDIATE");
  expect(eraseUnused(path, kind)).toBe(false);
  file.sqlite.run("ROLLBACK");
  expect(eraseUnused(path, kind)).toBe(true);
  file.close();
});

test.each(isLong ? [0, 1, 2, 10, 60] : [0, 2, 60])(
  "a process that is killed after %d parts leaves a sound file",
  async (parts) => {
    const path = join(newFolder(), "a.db");
    const file = openMarked(path);
    fill(file, rows);
    emptyLog(file.sqlite);
    const before = readAll(file);
    const script = join(import.meta.dir, "killed-cleaning.ts");
    const child = Bun.spawn([process.execPath, script, path, String(parts)], { stderr: "inherit" });
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    expect(countMarks(path)).toBeGreaterThan(0);
    expect(readAll(file)).toEqual(before);
    expect(cleanFile(file, kind)).toBe(true);
    expect(countMarks(path)).toBe(0);
    expect(readAll(file)).toEqual(before);
    file.close();
  },
);

test("a file that somebody reads in an old state is not called clean", () => {
  const path = join(newFolder(), "a.db");
  const file = openMarked(path);
  fill(file, 60);
  const reader = new Sqlite(path, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM plain").get();
  expect(cleanFile(file, kind, 1)).toBe(false);
  reader.run("COMMIT");
  expect(cleanFile(file, kind, 1)).toBe(true);
  reader.close();
  file.close();
});

test.each(["a file that cannot give space back", "a file with pages that belong to nothing"])(
  "%s is rewritten",
  (what) => {
    const path = join(newFolder(), "a.db");
    const first = openMarked(path);
    fill(first, rows);
    const before = readAll(first);
    if (what.includes("space")) {
      first.sqlite.run("PRAGMA journal_mode = DELETE");
      first.sqlite.run("PRAGMA auto_vacuum = NONE");
      first.sqlite.run("VACUUM");
      fill(first, rows);
      first.close();
    } else {
      first.close();
      loseFreePages(path);
    }
    const file = openMarked(path);
    expect(countMarks(path)).toBeGreaterThan(0);
    expect(cleanFile(file, kind)).toBe(true);
    expect(countMarks(path)).toBe(0);
    expect(readAll(file)).toEqual(before);
    expect(file.sqlite.query("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
    file.close();
  },
);

/** Makes the file forget which pages are free. */
function loseFreePages(path: string): void {
  const bytes = readFileSync(path);
  expect(bytes.readUInt32BE(36)).toBeGreaterThan(0);
  bytes.fill(0, 32, 40);
  writeFileSync(path, bytes);
}
