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

describe("a statement with its values", () => {
  const open = () => openDatabase(":memory:", kind).sqlite;

  test("takes them where they stand, and gives rows, columns and values", () => {
    const sqlite = open();
    const [low, high] = [3, 7];
    for (const n of [low, high]) sqlite.execute`INSERT INTO number (n) VALUES (${n})`;
    expect(sqlite.execute`UPDATE number SET n = n + ${1} WHERE n > ${low}`.changes).toBe(1);
    expect(sqlite.readRows<{ n: number }>`SELECT n FROM number WHERE n >= ${low}`).toEqual([
      { n: low },
      { n: high + 1 },
    ]);
    expect(sqlite.readColumn<number>("SELECT n FROM number WHERE n > ?", low)).toEqual([high + 1]);
    expect(sqlite.readRow<{ n: number }>`SELECT n FROM number WHERE n > ${high}`).toEqual({
      n: high + 1,
    });
    expect(sqlite.readRow`SELECT n FROM number WHERE n > ${high + 1}`).toBeUndefined();
    // A text in place of a number, with what would end a literal, is a value like any other.
    expect(sqlite.readValue<string>`SELECT ${"it's"} || ${'"'}`).toBe("it's\"");
    expect(sqlite.readValue`SELECT max(n) FROM number WHERE n > ${100}`).toBeUndefined();
    expect(sqlite.readValue`SELECT n FROM number WHERE n > ${100}`).toBeUndefined();
    sqlite.close();
  });

  test("is undone with the transaction in which it was run", () => {
    const sqlite = open();
    const add = () => {
      sqlite.execute`INSERT INTO number (n) VALUES (1)`;
      throw new Error("no");
    };
    expect(() => sqlite.transact(add)).toThrow("no");
    expect(sqlite.transact(() => sqlite.readValue`SELECT count(*) FROM number`)).toBe(0);
    sqlite.close();
  });
});
