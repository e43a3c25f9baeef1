import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/contract/fault.ts";
import { type DatabaseKind, openDatabase } from "../../src/sqlite/database.ts";
import { temporaryFolders } from "./temporary-folder.ts";

const newFolder = temporaryFolders();
const kind: DatabaseKind = {
  name: "example",
  applicationId: 4711,
  migrations: ["CREATE TABLE word (text TEXT NOT NULL) STRICT;"],
  isCheckedAtOpen: true,
};
const newer: DatabaseKind = {
  ...kind,
  migrations: [...kind.migrations, "ALTER TABLE word ADD COLUMN length INTEGER;"],
};

test("SQLite is one without the WAL-reset corruption", () => {
  const { version } = new Database(":memory:")
    .query<{ version: string }, []>("SELECT sqlite_version() AS version")
    .get() as { version: string };
  expect(Bun.semver.order(version, "3.51.3")).toBeGreaterThanOrEqual(0);
});

test("a committed transaction is synced: WAL with synchronous FULL", () => {
  const { sqlite } = openDatabase(join(newFolder(), "a.db"), kind);
  expect(sqlite.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(sqlite.query("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
});

test("a file is made once, kept, and brought to the newest form", () => {
  const path = join(newFolder(), "a.db");
  const made = openDatabase(path, kind);
  made.sqlite.run("INSERT INTO word VALUES ('kept')");
  made.close();
  const again = openDatabase(path, newer);
  expect([made.isNew, again.isNew]).toEqual([true, false]);
  expect(again.sqlite.query("SELECT * FROM word").all()).toEqual([{ text: "kept", length: null }]);
});

test("a newer file is refused and left as it is", () => {
  const path = join(newFolder(), "a.db");
  openDatabase(path, newer).close();
  const before = readFileSync(path);
  expect(() => openDatabase(path, kind)).toThrow("was written by a newer Roster (form 2");
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("processes that make the file at the same moment get the same one", async () => {
  const folder = newFolder();
  const script = `import { openSqliteControlStore } from "./src/control/sqlite/sqlite-control-store.ts";
    const control = openSqliteControlStore(${JSON.stringify(join(folder, "control.db"))});
    const at = new Date(); const id = String(process.pid);
    const limits = { callsPerMonth: null, callsPerDay: null };
    control.addAccount({ id, email: id, emailKey: id, plan: "free", ...limits, administrator: false,
      createdMs: at.getTime() }, undefined, { at, actor: id, action: "account.created", subject: id, detail: {} });
    control.close();`;
  const children = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, "-e", script], {
      cwd: `${import.meta.dir}/../..`,
      stderr: "pipe",
    }),
  );
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
  const sqlite = new Database(join(folder, "control.db"));
  expect(sqlite.query("SELECT count(*) AS n FROM account").get()).toEqual({ n: 4 });
  expect(sqlite.query("SELECT count(*) AS n FROM instance").get()).toEqual({ n: 1 });
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("what a killed process left half made is taken away", async () => {
  const folder = newFolder();
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  writeFileSync(join(folder, `a.db.${dead.pid}.tmp`), "half");
  writeFileSync(join(folder, `a.db.${dead.pid}.tmp-journal`), "half");
  openDatabase(join(folder, "a.db"), kind).close();
  expect(readdirSync(folder)).toEqual(["a.db"]);
});

test("a draft left by whoever was killed right after putting the file in place goes at the next opening", () => {
  const folder = newFolder();
  const path = join(folder, "a.db");
  openDatabase(path, kind).close();
  const dead = Bun.spawnSync([process.execPath, "--version"]);
  writeFileSync(join(folder, `a.db.${dead.pid}.tmp`), "whole");
  writeFileSync(join(folder, `a.db.${process.pid}.tmp`), "of somebody alive");
  openDatabase(path, kind).close();
  expect(readdirSync(folder).sort()).toEqual(["a.db", `a.db.${process.pid}.tmp`]);
});

test("another program's database is refused, in words that name it", () => {
  const path = join(newFolder(), "a.db");
  new Database(path).run("CREATE TABLE other (id INTEGER)");
  expect(() => openDatabase(path, kind)).toThrow(Fault);
  expect(() => openDatabase(path, kind)).toThrow(path);
});

test("a folder that is missing is named", () => {
  const path = join(newFolder(), "missing", "a.db");
  expect(() => openDatabase(path, kind)).toThrow(`${path} cannot be opened`);
});
