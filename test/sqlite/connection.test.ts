import { describe, expect, test } from "bun:test";
import { existsSync, linkSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { type DatabaseKind, openDatabase } from "../../src/sqlite/database.ts";
import {
  putInPlace,
  removeDatabase,
  removeFiles,
  removeLog,
  renameFiles,
} from "../../src/sqlite/folder/move-files.ts";
import { listOpenFiles } from "../../src/sqlite/folder/open-files.ts";
import { temporaryFolders } from "./temporary-folder.ts";

const newFolder = temporaryFolders();
const kind: DatabaseKind = {
  name: "example",
  applicationId: 4711,
  migrations: ["CREATE TABLE number (n INTEGER NOT NULL) STRICT;"],
};
const numbers = sqliteTable("number", { n: integer().notNull() });

/** Names of what this process has open below a folder; nothing where the system does not tell. */
const listOpen = (folder: string) =>
  [...(listOpenFiles("self")?.values() ?? [])].filter((path) => path.startsWith(folder));

describe("closing a database", () => {
  test("leaves nothing open, whatever was prepared on it and however far it was read", () => {
    const folder = newFolder();
    const store = openDatabase(join(folder, "a.db"), kind);
    const { orm, sqlite } = store;
    const write = sqlite.transaction(() => {
      for (let n = 0; n < 100; n += 1) orm.insert(numbers).values({ n }).run();
    });
    write.immediate();
    const kept = orm
      .select()
      .from(numbers)
      .where(sql`n > ${sql.placeholder("n")}`)
      .prepare();
    expect(kept.all({ n: 97 })).toEqual([{ n: 98 }, { n: 99 }]);
    expect(orm.select().from(numbers).all()).toHaveLength(100);
    expect(sqlite.query("SELECT count(*) AS n FROM number").get()).toEqual({ n: 100 });
    const rows = sqlite.prepare("SELECT n FROM number ORDER BY n").iterate();
    expect(rows.next().value).toEqual({ n: 0 });
    expect(listOpen(folder)).not.toEqual([]);
    store.close();
    expect(listOpen(folder)).toEqual([]);
    expect(() => kept.all({ n: 1 })).toThrow();
    expect(() => rows.next()).toThrow();
  });

  test("a new file has its name only when nothing is open to its draft", () => {
    const folder = newFolder();
    const store = openDatabase(join(folder, "a.db"), kind);
    expect(store.isNew).toBe(true);
    expect(listOpen(folder).filter((path) => /\.tmp|deleted/.test(path))).toEqual([]);
    store.close();
  });
});

describe("a database that is open here", () => {
  const openOne = () => {
    const folder = join(newFolder(), "data");
    mkdirSync(folder);
    const path = join(folder, "a.db");
    const store = openDatabase(path, kind);
    return { folder, path, store };
  };
  const elsewhere = (path: string) => `${path}.elsewhere`;

  const moves: Record<string, (path: string, folder: string) => void> = {
    renamed: (path) => renameFiles(path, elsewhere(path)),
    "replaced by a rename": (path) => {
      openDatabase(elsewhere(path), kind).close();
      renameFiles(elsewhere(path), path);
    },
    linked: (path) => void putInPlace(path, elsewhere(path)),
    removed: (path) => removeDatabase(path),
    "robbed of its log": (path) => removeLog(path),
    "renamed with its folder": (_, folder) => renameFiles(folder, elsewhere(folder)),
    "removed with its folder": (_, folder) => removeFiles(folder),
  };
  for (const [what, move] of Object.entries(moves)) {
    test(`is not ${what}, and is when it is closed`, () => {
      const { folder, path, store } = openOne();
      expect(() => move(path, folder)).toThrow("is still open in this process");
      expect(store.sqlite.query("SELECT count(*) AS n FROM number").get()).toEqual({ n: 0 });
      expect(existsSync(`${path}-wal`)).toBe(true);
      store.close();
      move(path, folder);
    });
  }

  test("is known by its inode, not by the name that it was opened by", () => {
    const { path, store } = openOne();
    linkSync(path, elsewhere(path));
    expect(() => removeFiles(elsewhere(path))).toThrow("is still open in this process");
    store.close();
    removeFiles(elsewhere(path));
    expect(existsSync(path)).toBe(true);
  });
});
