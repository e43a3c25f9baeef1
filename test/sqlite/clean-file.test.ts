import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { cleanFile, requireClean } from "../../src/sqlite/clean-file.ts";
import { type Database, type DatabaseKind, openDatabase } from "../../src/sqlite/database.ts";
import { temporaryFolders } from "./temporary-folder.ts";

const newFolder = temporaryFolders();
const mark = "unmistakable";
const kind: DatabaseKind = {
  name: "marked",
  applicationId: 4712,
  migrations: [
    `CREATE TABLE plain (id INTEGER PRIMARY KEY, text TEXT NOT NULL, bytes BLOB NOT NULL);
     CREATE INDEX plain_text ON plain (text);
     CREATE TABLE keyed (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;`,
  ],
  isShrinkable: true,
};

/** Rows come in no order and change their size, so that pages are split and joined; then the marked third is deleted. */
function fill({ sqlite }: Database, count = 600): void {
  const plain = sqlite.prepare("INSERT OR REPLACE INTO plain VALUES (?, ?, ?)");
  const keyed = sqlite.prepare("INSERT OR REPLACE INTO keyed VALUES (?, ?)");
  sqlite.transact(() => {
    for (const round of [0, 1, 2]) {
      for (let n = 0; n < count; n++) {
        const id = (n * 7919) % count;
        const size = (n * 31 * (round + 1)) % (n % 40 === 0 ? 9000 : 900);
        const text = (id % 3 === 0 ? mark : "ordinary").repeat(1 + Math.floor(size / 12));
        plain.run(id, text.slice(0, 200 + (size % 700)), Buffer.from(text));
        keyed.run(`${id}-${text.slice(0, 12 + (size % 1500))}`, text.slice(0, 12 + (size % 90)));
      }
    }
  });
  sqlite.run(`DELETE FROM plain WHERE text LIKE '${mark}%'`);
  sqlite.run(`DELETE FROM keyed WHERE text LIKE '${mark}%'`);
}

const readAll = ({ sqlite }: Database) =>
  ["PRAGMA integrity_check", "SELECT * FROM plain", "SELECT * FROM keyed"].map((sql) =>
    sqlite.query(sql).all(),
  );

/** How often the beginning of the mark is in the file and its log. */
function countMarks(path: string): number {
  const files = [path, `${path}-wal`].filter((each) => statSync(each, { throwIfNoEntry: false }));
  const start = mark.slice(0, 6);
  return files.reduce((sum, each) => sum + readFileSync(each, "latin1").split(start).length - 1, 0);
}

test("what was deleted is gone from the file, its log and the memory of another connection, and all else is there", () => {
  const path = join(newFolder(), "a.db");
  const file = openDatabase(path, kind);
  fill(file);
  const other = openDatabase(path, kind);
  const before = readAll(other);
  // Otherwise there is nothing to prove.
  expect(countMarks(path)).toBeGreaterThan(0);
  requireClean(file, kind);
  expect(countMarks(path)).toBe(0);
  expect(readAll(file)).toEqual(before);
  other.sqlite.run("UPDATE plain SET id = -id - 1");
  other.sqlite.run("UPDATE keyed SET text = 'x' || substr(text, 2)");
  expect(countMarks(path)).toBe(0);
  other.sqlite.run("UPDATE plain SET id = -id - 1");
  other.close();
  expect(countMarks(path)).toBe(0);
  expect(readAll(file)[1]).toEqual(before[1] as unknown[]);
  file.close();
});

test.each(["read in an old state", "written"])("a file that is %s is not called clean", (how) => {
  const path = join(newFolder(), "a.db");
  const file = openDatabase(path, kind);
  fill(file, 60);
  file.sqlite.run("PRAGMA busy_timeout = 0");
  const other = new Sqlite(path);
  other.run(how === "written" ? "BEGIN IMMEDIATE" : "BEGIN");
  other.query("SELECT count(*) FROM plain").get();
  expect(cleanFile(file, kind, 1)).toBe(false);
  other.run("COMMIT");
  expect(cleanFile(file, kind, 1)).toBe(true);
  other.close();
  file.close();
});

test("a file that cannot give space back learns it", () => {
  const path = join(newFolder(), "a.db");
  const first = openDatabase(path, kind);
  first.sqlite.run("PRAGMA journal_mode = DELETE");
  first.sqlite.run("PRAGMA auto_vacuum = NONE");
  first.sqlite.run("VACUUM");
  fill(first);
  first.close();
  const file = openDatabase(path, kind);
  expect(file.sqlite.query("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 0 });
  requireClean(file, kind);
  expect(countMarks(path)).toBe(0);
  expect(file.sqlite.query("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
  file.close();
});
