import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { isLong } from "../long.ts";
import { invented } from "../pool/invented.ts";
import { readRankedRows } from "../pool/ranked-rows.ts";
import { createRandom, drawSeed } from "../random.ts";

const people = isLong ? 600 : 300;
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "roster-crash-"));
  path = join(folder, "pool.db");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function startImporter() {
  const script = join(import.meta.dir, "importing-process.ts");
  return Bun.spawn([process.execPath, script, path, String(people)], {
    stdout: "pipe",
    stderr: "inherit",
  });
}

/** Everybody must tell of the same round: an import is seen whole or not at all. */
async function readRound(pool: ReturnType<typeof openSqlitePool>): Promise<number> {
  const bios = new Map(
    (await Array.fromAsync(pool.facts())).flat().map(({ login, profile }) => [login, profile.bio]),
  );
  if (bios.size === 0) return 0;
  const round = Number(bios.get("round"));
  const hasGuest = round % 2 === 1;
  expect(bios.size).toBe(people + 1 + (hasGuest ? 1 : 0));
  expect(bios.has("guest")).toBe(hasGuest);
  for (const bio of bios.values()) expect(bio).toBe(`${round}`);
  expect(await pool.size()).toBe(bios.size);
  expect((await readRankedRows(pool)).length).toBe(bios.size);
  expect(await pool.revision()).toBe(round);
  return round;
}

describe("an importer that is killed", () => {
  test("leaves the old state or the new one, never one between, and the next import runs", async () => {
    const random = createRandom(drawSeed("importers killed"));
    let lastSeen = 0;
    for (let kill = 0; kill < (isLong ? 8 : 3); kill++) {
      const child = startImporter();
      const wait = 80 + random() * (isLong ? 700 : 400);
      const acknowledged = await killAfter(child, wait);
      const pool = openSqlitePool(path, { now: () => new Date() });
      const round = await readRound(pool);
      expect(round).toBeGreaterThanOrEqual(Math.max(lastSeen, acknowledged));
      lastSeen = round;
      await (await pool.beginImport("test")).abort();
      expect(await readRound(pool)).toBe(round);
      await pool.close();
    }
  }, 300_000);

  test("leaves nothing staged once the next import has run", async () => {
    const child = startImporter();
    await killAfter(child, isLong ? 700 : 400);
    const pool = openSqlitePool(path, { now: () => new Date() });
    const load = await pool.beginImport("test");
    await load.put([invented({ login: "after" })]);
    expect(await load.commit()).toMatchObject({ added: 1 });
    expect((await pool.findCards(["after"]))[0]).toBeDefined();
    await pool.close();
    const { Database } = await import("bun:sqlite");
    const sqlite = new Database(path, { readonly: true });
    const orphans = sqlite
      .query<{ n: number }, []>(
        `SELECT count(*) AS n FROM developer WHERE import_id IN (SELECT id FROM import WHERE revision IS NULL)
         OR superseded_by IN (SELECT id FROM import WHERE revision IS NULL)`,
      )
      .get();
    expect(orphans?.n).toBe(0);
    for (const table of ["card", "standing", "dossier"]) {
      const lost = sqlite
        .query<{ n: number }, []>(
          `SELECT count(*) AS n FROM ${table} WHERE row_id NOT IN (SELECT row_id FROM developer)`,
        )
        .get();
      expect(lost?.n).toBe(0);
    }
    expect(sqlite.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    sqlite.close();
  }, 300_000);
});

describe("a reader beside an importer", () => {
  test("sees whole rounds only, and is never made to wait for one", async () => {
    const child = startImporter();
    const pool = await openWhenReady();
    const seen = new Set<number>();
    while (seen.size < 4) {
      const before = await pool.revision();
      const bios = new Set(
        (await Array.fromAsync(pool.facts())).flat().map(({ profile }) => profile.bio),
      );
      expect(bios.size).toBeLessThanOrEqual(1);
      expect(await pool.revision()).toBeGreaterThanOrEqual(before);
      seen.add(await pool.revision());
      await Bun.sleep(20);
    }
    await killAfter(child, 0);
    await pool.close();
  }, 300_000);
});

/** The importer makes the file; until then there is nothing to open. */
async function openWhenReady() {
  while (!(await Bun.file(path).exists()) || Bun.file(path).size === 0) await Bun.sleep(20);
  return openSqlitePool(path, { now: () => new Date() });
}

/** @returns the last round that the importer said was committed. */
async function killAfter(child: ReturnType<typeof startImporter>, milliseconds: number) {
  const said = new Response(child.stdout).text();
  await Bun.sleep(milliseconds);
  child.kill("SIGKILL");
  await child.exited;
  return Number((await said).trim().split("\n").at(-1) ?? "0");
}
