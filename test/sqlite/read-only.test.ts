import type { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/sqlite/database.ts";
import { openInMemory, openReadOnly, prepareForReading } from "../../src/sqlite/read-only.ts";
import { temporaryFolders } from "./temporary-folder.ts";

const newFolder = temporaryFolders();
const kind = {
  name: "test",
  applicationId: 7,
  migrations: ["CREATE TABLE word (word TEXT)", "CREATE TABLE other (word TEXT)"],
};
const older = { ...kind, migrations: kind.migrations.slice(0, 1) };

/** A folder name with all that a URI could misread. */
const newOddFolder = () => {
  const folder = join(newFolder(), "a b?mode=rwc#c%20d");
  mkdirSync(folder);
  return folder;
};

function writeOne(path: string, word: string, as = kind) {
  const store = openDatabase(path, as);
  store.sqlite.run("INSERT INTO word VALUES (?)", [word]);
  return store;
}

const wordsOf = ({ sqlite }: { sqlite: Sqlite }) =>
  sqlite
    .query<{ word: string }, []>("SELECT word FROM word ORDER BY rowid")
    .all()
    .map(({ word }) => word);

/** What lies in a folder: names, sizes, times. */
const look = (folder: string) =>
  readdirSync(folder).map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });

test("beside a live writer every commit is seen, and the writer is not held up", () => {
  const path = join(newOddFolder(), "file.db");
  const writer = writeOne(path, "one");
  const reader = openReadOnly(path, kind);
  expect(wordsOf(reader)).toEqual(["one"]);
  writer.sqlite.run("INSERT INTO word VALUES ('two')");
  expect(wordsOf(reader)).toEqual(["one", "two"]);
  const checkpoint = writer.sqlite.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
  expect(checkpoint).toMatchObject({ busy: 0 });
  writer.sqlite.run("INSERT INTO word VALUES ('three')");
  expect(wordsOf(reader)).toEqual(["one", "two", "three"]);
  reader.close();
  writer.close();
});

test("a file of an older form is read from a copy in the newest; memory takes both", () => {
  const path = join(newOddFolder(), "file.db");
  writeOne(path, "one", older).close();
  const before = look(join(path, ".."));
  const copy = prepareForReading(path, kind, newFolder);
  expect(copy).not.toBe(path);
  const store = openReadOnly(copy, kind);
  expect(store.sqlite.query("SELECT * FROM other").all()).toEqual([]);
  expect(wordsOf(store)).toEqual(["one"]);
  store.close();
  const memory = openInMemory(path, kind);
  memory.sqlite.run("INSERT INTO other VALUES ('lost')");
  expect(wordsOf(memory)).toEqual(["one"]);
  memory.close();
  expect(look(join(path, ".."))).toEqual(before);
});

test("a newer file, a missing one, an empty one and text are refused with the path", () => {
  const folder = newOddFolder();
  const path = (name: string) => join(folder, name);
  writeOne(path("newer.db"), "one").close();
  expect(() => openReadOnly(path("newer.db"), older)).toThrow(/newer\.db was written by a newer/);
  expect(() => openReadOnly(path("gone.db"), kind)).toThrow(/gone\.db cannot be read: it is gone/);
  writeFileSync(path("text.db"), "Dear diary, today I was no database. ".repeat(200));
  expect(() => openReadOnly(path("text.db"), kind)).toThrow(
    /text\.db is damaged or not a database/,
  );
});
