import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noteBrought } from "../../src/ingest/git/ledger/applied.ts";
import { publishPeople } from "../../src/ingest/git/publish/publish.ts";
import { importFile, openLedger } from "../../src/ingest/ingest.ts";
import { demoDevelopers } from "../../src/ingest/removal-limit.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { factsOf, lineOf, plainJudge } from "./sample.ts";

const newFolder = temporaryFolders();
const many = demoDevelopers + 1;

const loginsOf = (people: number) => Array.from({ length: people }, (_, n) => `p${n}`);

/** A pool of as many people from one source, of whom nothing else is known. */
async function openPool(source: string, people: number) {
  const pool = openSqlitePool(":memory:", { now: () => new Date() });
  const load = await pool.beginImport("test");
  await load.put(loginsOf(people).map((login) => plainJudge({ ...factsOf(login), source })));
  await load.commit();
  return pool;
}

test("there are as many demo people as the limit says", () => {
  const packed = readFileSync(join(import.meta.dir, "../../seed/demo.jsonl.zst"));
  const lines = Bun.zstdDecompressSync(packed).toString("utf8").trimEnd().split("\n");
  expect(lines.length).toBe(demoDevelopers);
});

test("a file that would remove more people than the demo has is refused until it is said to be meant", async () => {
  const pool = await openPool("demo", many);
  const file = join(newFolder(), "one.jsonl");
  writeFileSync(file, lineOf("ada"));
  const options = { pool, judge: plainJudge, replaceDemo: true };
  const message = `remove ${many} people from the pool: ${many} of source "demo"`;
  const refusal = { code: "removals", message: expect.stringContaining(message) };
  await expect(importFile(file, options)).rejects.toMatchObject(refusal);
  expect([await pool.size(), await pool.revision()]).toEqual([many, 1]);
  const meant = await importFile(file, { ...options, canRemoveMany: true });
  expect(meant.removed).toBe(many);
  expect(await pool.size()).toBe(1);
  await pool.close();
}, 300_000);

test("the demo people themselves go without a question", async () => {
  const file = join(newFolder(), "one.jsonl");
  writeFileSync(file, lineOf("ada"));
  const pool = await openPool("demo", demoDevelopers);
  const options = { pool, judge: plainJudge, replaceDemo: true };
  expect(await importFile(file, options)).toMatchObject({ removed: demoDevelopers });
  await pool.close();
}, 300_000);

test("git removes no more than that either, and forgets no repository before", async () => {
  const pool = await openPool("git", many);
  const ledger = openLedger(":memory:", { version: "test", now: () => new Date() });
  noteBrought(ledger, loginsOf(many));
  let isForgotten = false;
  const lock = await pool.lockImports("git");
  const publish = (canRemoveMany: boolean) =>
    publishPeople(() => [], {
      ...{ pool, lock, ledger, judge: plainJudge, current: new Set(), canRemoveMany },
      ...{ isJudged: false, shouldRemoveDemo: false },
      beforeCommit: () => {
        isForgotten = true;
      },
    });
  await expect(publish(false)).rejects.toMatchObject({ code: "removals" });
  expect([isForgotten, await pool.size()]).toEqual([false, many]);
  expect(await publish(true)).toMatchObject({ removed: many });
  expect([isForgotten, await pool.size()]).toEqual([true, 0]);
  await lock.release();
  ledger.close();
  await pool.close();
}, 300_000);
