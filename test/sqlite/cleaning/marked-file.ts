/** A database of invented rows in many sizes, some of which are marked: what must be gone from the file once they are deleted. */
import { readFileSync, statSync } from "node:fs";
import { type Database, type DatabaseKind, openDatabase } from "../../../src/sqlite/database.ts";

export const kind: DatabaseKind = {
  name: "marked",
  applicationId: 4712,
  migrations: [
    `CREATE TABLE plain (id INTEGER PRIMARY KEY, text TEXT NOT NULL, bytes BLOB NOT NULL);
     CREATE INDEX plain_text ON plain (text);
     CREATE TABLE keyed (key TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (key)) WITHOUT ROWID;
     CREATE TABLE counted (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
     CREATE TABLE numbered (number INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (number, id)) WITHOUT ROWID;`,
  ],
  isShrinkable: true,
  // No row of these is ever marked, but their pages are taken from the others, and given back to them.
  impersonal: ["counted", "numbered"],
};

export const mark = "unmistakable";

export interface MarkedFile extends Database {
  /** Writes a row, or another one in its place; marked ones can be told from their bytes. */
  put(id: number, size: number, isMarked: boolean): void;
  remove(id: number): void;
}

export function openMarked(path: string): MarkedFile {
  const file = openDatabase(path, kind);
  const { sqlite } = file;
  // A test asks what is in the file, not whether it would survive a power cut.
  sqlite.run("PRAGMA synchronous = OFF");
  const plain = sqlite.prepare("INSERT OR REPLACE INTO plain VALUES (?, ?, ?)");
  const keyed = sqlite.prepare("INSERT OR REPLACE INTO keyed VALUES (?, ?)");
  const plainGone = sqlite.prepare("DELETE FROM plain WHERE id = ?");
  const keyedGone = sqlite.prepare("DELETE FROM keyed WHERE key LIKE ?");
  const counted = sqlite.prepare("INSERT OR REPLACE INTO counted VALUES (?, ?)");
  const numbered = sqlite.prepare("INSERT OR REPLACE INTO numbered VALUES (?, ?)");
  const countedGone = sqlite.prepare("DELETE FROM counted WHERE id = ?");
  const numberedGone = sqlite.prepare("DELETE FROM numbered WHERE id = ?");
  const remove = (id: number) => {
    for (const gone of [plainGone, countedGone, numberedGone]) gone.run(id);
    keyedGone.run(`${id}-%`);
  };
  return {
    ...file,
    put(id, size, isMarked) {
      remove(id);
      const text = (isMarked ? mark : "ordinary").repeat(1 + Math.floor(size / 12));
      plain.run(id, text.slice(0, 200 + (size % 700)), Buffer.from(text));
      keyed.run(`${id}-${text.slice(0, 12 + (size % 1500))}`, text.slice(0, 12 + (size % 90)));
      if (isMarked) return;
      counted.run(id, Buffer.alloc(size, 7));
      for (let n = 0; n < size % 40; n++) numbered.run((id * 7919 + n * 104_729) % 100_003, id);
    },
    remove,
  };
}

/** Rows come in no order and change their size, so that pages are split and joined; then the marked ones are deleted. */
export function fill(file: MarkedFile, count: number): void {
  for (const round of [0, 1, 2]) {
    const change = () => {
      for (let n = 0; n < count; n++) {
        const id = (n * 7919) % count;
        file.put(id, (n * 31 * (round + 1)) % (n % 40 === 0 ? 9000 : 900), id % 3 === 0);
      }
    };
    file.sqlite.transaction(change).immediate();
  }
  file.sqlite.transaction(() => removeMarked(file)).immediate();
}

/** Keeps every row but those that are marked. */
export function removeMarked({ sqlite }: Database): void {
  sqlite.run(`DELETE FROM plain WHERE text LIKE '${mark}%'`);
  sqlite.run(`DELETE FROM keyed WHERE text LIKE '${mark}%'`);
}

/** What the file holds, and whether SQLite finds it sound. */
export function readAll({ sqlite }: Database) {
  return {
    check: sqlite.query("PRAGMA integrity_check").all(),
    plain: sqlite.query("SELECT * FROM plain ORDER BY id").all(),
    keyed: sqlite.query("SELECT * FROM keyed ORDER BY key").all(),
    counted: sqlite.query("SELECT * FROM counted ORDER BY id").all(),
    numbered: sqlite.query("SELECT * FROM numbered ORDER BY number, id").all(),
  };
}

/** How often the beginning of the mark is in the file and its log. */
export function countMarks(path: string, text = mark.slice(0, 6)): number {
  const files = [path, `${path}-wal`].filter((each) => statSync(each, { throwIfNoEntry: false }));
  return files.reduce((sum, each) => sum + readFileSync(each, "latin1").split(text).length - 1, 0);
}
