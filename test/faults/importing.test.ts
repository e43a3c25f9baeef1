import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { isLong } from "../long.ts";
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

/** Expects that all people are of the same round: an import is seen completely or not at all. */
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

/** What an import has staged and not committed goes with the next one. */
function expectNothingStaged(): void {
  using sqlite = new Database(path, { readonly: true });
  const count = (from: string) => sqlite.query(`SELECT count(*) AS n FROM ${from}`).get();
  const unfinished = "(SELECT id FROM import WHERE revision IS NULL)";
  expect(
    count(`developer WHERE import_id IN ${unfinished} OR superseded_by IN ${unfinished}`),
  ).toEqual({ n: 0 });
  for (const table of ["card", "standing", "dossier"]) {
    expect(count(`${table} WHERE row_id NOT IN (SELECT row_id FROM developer)`)).toEqual({ n: 0 });
  }
  expect(sqlite.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
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
      expectNothingStaged();
    }
  }, 300_000);
});

/** @returns the last round that the importer said was committed. */
async function killAfter(child: ReturnType<typeof startImporter>, milliseconds: number) {
  const said = new Response(child.stdout).text();
  await Bun.sleep(milliseconds);
  child.kill("SIGKILL");
  await child.exited;
  return Number((await said).trim().split("\n").at(-1) ?? "0");
}
