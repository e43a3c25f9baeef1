import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { closeSync, copyFileSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import {
  checkPoolContent,
  openSqlitePool,
  poolFile,
} from "../../../src/pool/sqlite/sqlite-pool.ts";
import { checkFile, checkStructure, runCheck } from "../../../src/sqlite/check-database.ts";
import { createRandom, drawSeed } from "../../random.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { invented } from "../invented.ts";

const newFolder = temporaryFolders();
const people = 300;

async function fill(path: string): Promise<void> {
  const pool = openSqlitePool(path, { now: () => new Date() });
  for (const bio of ["Before.", "After."]) {
    const load = await pool.beginImport("test");
    await load.put(Array.from({ length: people }, (_, n) => invented({ login: `p${n}`, bio })));
    await load.commit();
  }
  await pool.erasing.hide("p7");
  await pool.close();
}

const check = (path: string, ...checks: Parameters<typeof checkFile>[2][]) =>
  runCheck(checkFile(path, poolFile, ...checks));

test("a whole pool has no finding, with replaced rows, an erasure and a decision", async () => {
  const path = join(newFolder(), "pool.db");
  await fill(path);
  expect(check(path, checkStructure, checkPoolContent)).toEqual([]);
});

test("a bit that flipped in a value is found, where SQLite's own check finds nothing", async () => {
  const path = join(newFolder(), "pool.db");
  await fill(path);
  const bytes = readFileSync(path);
  // Inside the text of somebody's card.
  const at = bytes.lastIndexOf("After.");
  const file = openSync(path, "r+");
  writeSync(file, Buffer.from("b"), 0, 1, at + 1);
  closeSync(file);
  expect(check(path, checkStructure)).toEqual([]);
  expect(check(path, checkPoolContent)).toEqual([
    expect.stringMatching(/^1 of \d+ rows about developers are damaged$/),
  ]);
});

test("what no row's hash covers is checked for its form and what it refers to", async () => {
  const path = join(newFolder(), "pool.db");
  await fill(path);
  const sqlite = new Sqlite(path);
  sqlite.run("UPDATE developer SET import_id = 99 WHERE login = 'p1'");
  sqlite.run("DELETE FROM dossier WHERE row_id = (SELECT max(row_id) FROM developer)");
  sqlite.run("INSERT INTO card VALUES (9999, '{}')");
  sqlite.run("INSERT INTO former_login VALUES ('ada', 9999)");
  sqlite.run("UPDATE findable SET keys = '{' WHERE row_id = (SELECT min(row_id) FROM findable)");
  sqlite.run("UPDATE suppressed SET receipt_id = 'ers_gone'");
  sqlite.run("UPDATE suppression_salt SET salt = x'00'");
  sqlite.close();
  const found = check(path, checkPoolContent).join("\n");
  for (const text of [
    "rows about developers are damaged",
    "rows of card belong to no developer",
    "rows of former_login belong to no developer",
    "search keys of developers are damaged",
    "refer to a missing import (import_id)",
    "a wrong stored count of developers",
    "salts of the suppression list are damaged",
    "entries of the suppression list are damaged or belong to no receipt",
  ]) {
    expect(found).toContain(text);
  }
});

test("a file that somebody begins to write during the check is not called damaged", async () => {
  const path = join(newFolder(), "pool.db");
  await fill(path);
  const steps = checkFile(path, poolFile, checkPoolContent, checkStructure);
  steps.next();
  const pool = openSqlitePool(path, { now: () => new Date() });
  const load = await pool.beginImport("test");
  await load.put(
    Array.from({ length: 400 }, (_, n) => invented({ login: `a${n}`, bio: "Long. ".repeat(300) })),
  );
  await load.commit();
  await pool.erasing.hide("p8");
  expect(await pool.erasing.clean()).toBeUndefined();
  expect(runCheck(steps)).toEqual([]);
  await pool.close();
});

test("32 bytes flipped anywhere in a page that holds people are found; nobody is named", async () => {
  const random = createRandom(drawSeed("flipped bytes"));
  const folder = newFolder();
  const path = join(folder, "pool.db");
  await fill(path);
  const whole = readFileSync(path);
  const pages = pagesOf(path, ["card", "standing", "dossier", "developer"]);
  let missed = 0;
  for (let round = 0; round < 40; round++) {
    const copy = join(folder, "copy.db");
    copyFileSync(path, copy);
    const page = pages[Math.floor(random() * pages.length)] as number;
    const at = (page - 1) * 4096 + Math.floor(random() * (4096 - 32));
    const flipped = whole.subarray(at, at + 32).map((byte) => byte ^ 0xff);
    const file = openSync(copy, "r+");
    writeSync(file, flipped, 0, 32, at);
    closeSync(file);
    const found = check(copy, checkStructure, checkPoolContent);
    // Free bytes of a page mean nothing; secure_delete keeps them zero.
    if (found.length === 0 && whole.subarray(at, at + 32).some((byte) => byte !== 0)) missed++;
    expect(found.join()).not.toMatch(/\bp\d+\b/);
  }
  expect(missed).toBe(0);
}, 300_000);

/** The leaf and inner pages of these tables. */
function pagesOf(path: string, tables: readonly string[]): number[] {
  const sqlite = new Sqlite(path, { readonly: true });
  const list = tables.map(() => "?").join();
  const rows = sqlite
    .query<{ pageno: number }, string[]>(
      `SELECT pageno FROM dbstat WHERE name IN (${list}) AND pagetype IN ('leaf', 'overflow')`,
    )
    .all(...tables);
  sqlite.close();
  return rows.map(({ pageno }) => pageno);
}
