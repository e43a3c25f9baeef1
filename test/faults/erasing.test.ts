import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { person } from "../pool/person.ts";
import { readRankedRows } from "../pool/ranked-rows.ts";
import { createRandom, drawSeed } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const people = 60;
const now = () => new Date();

/** Two rows each: one that came by another login, and one that a newer one replaced. */
async function fill(path: string): Promise<void> {
  const pool = openSqlitePool(path, { now });
  for (const bio of ["Before.", "After."]) {
    const load = await pool.beginImport("test");
    for (let n = 0; n < people; n++) {
      const emails = [`mail-of-p${n}-only@example.com`];
      await load.put([
        person({ login: `p${n}`, emails, bio }),
        person({ login: `alias-of-p${n}`, emails, bio }),
      ]);
    }
    await load.commit();
  }
  await pool.close();
}

/** @returns what it said before it was killed, so long after it had first said this word. */
async function killAfter(path: string, word: string, milliseconds: number): Promise<string[]> {
  const script = join(import.meta.dir, "forgetting-process.ts");
  const child = Bun.spawn([process.execPath, script, path, String(people)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  let said = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    said += new TextDecoder().decode(part.value);
    if (said.includes(word)) break;
  }
  await Bun.sleep(milliseconds);
  child.kill("SIGKILL");
  await child.exited;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    said += new TextDecoder().decode(part.value);
  }
  return said.trim().split("\n");
}

test("killed at any moment, a person is whole or gone; a second erasure finishes, and no byte is left", async () => {
  const random = createRandom(drawSeed("erasures killed"));
  const folder = newFolder();
  const path = join(folder, "pool.db");
  await fill(path);
  const hidden = new Set<number>();
  for (let kill = 0; kill < 10; kill++) {
    const said = await killAfter(path, kill % 2 === 0 ? "ready" : "hidden", random() * 120);
    for (const line of said) {
      const [word, n] = line.split(" ");
      if (word === "hidden") hidden.add(Number(n));
    }
    const pool = openSqlitePool(path, { now });
    const gone = await lookAtEverybody(pool);
    for (const n of hidden) expect(gone).toContain(n);
    expect(await pool.size()).toBe(2 * (people - gone.length));
    expect(rowsOf(path)).toBe(4 * (people - gone.length));
    // Killed before its files were clean: the receipt says so.
    const unfinished = await pool.erasing.unfinished();
    expect(unfinished.length).toBeLessThanOrEqual(1 + gone.length - (await finishedOf(pool)));
    expect(await pool.erasing.clean()).toBeUndefined();
    for (const { id } of unfinished) await pool.erasing.finish(id);
    expect(traces(folder, gone)).toEqual([]);
    const load = await pool.beginImport("test");
    for (const n of gone) {
      expect(await load.put([person({ login: `p${n}` })])).toHaveLength(1);
    }
    await load.abort();
    await pool.close();
    if (gone.length === people) break;
  }
  expect(hidden.size).toBeGreaterThan(0);
}, 300_000);

type Pool = ReturnType<typeof openSqlitePool>;

/** Everybody must be whole, or gone with everything that is theirs. @returns who is gone. */
async function lookAtEverybody(pool: Pool): Promise<number[]> {
  const gone: number[] = [];
  const standing = new Set((await readRankedRows(pool)).map((row) => row.standing.login));
  for (let n = 0; n < people; n++) {
    const logins = [`p${n}`, `alias-of-p${n}`];
    const parts = [
      ...(await pool.findCards(logins)).map((card) => card !== undefined),
      ...(await pool.findFacts(logins)).map((facts) => facts !== undefined),
      ...(await pool.findAnalyses(logins)).map((analysis) => analysis !== undefined),
      ...logins.map((login) => standing.has(login)),
    ];
    expect(new Set(parts).size).toBe(1);
    const isGone = !parts[0];
    if (isGone) gone.push(n);
    expect((await pool.erasing.receiptsOf(`mail-of-p${n}-only@example.com`)).length > 0).toBe(
      isGone,
    );
  }
  return gone;
}

const finishedOf = async (pool: Pool) =>
  (await pool.erasing.receipts()).filter(({ completedAt }) => completedAt).length;

function rowsOf(path: string): number | undefined {
  const sqlite = new Database(path, { readonly: true });
  const row = sqlite.query<{ n: number }, []>("SELECT count(*) AS n FROM dossier").get();
  sqlite.close();
  return row?.n;
}

/** Whose address or login still lies in a file. */
function traces(folder: string, gone: readonly number[]): number[] {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  return gone.filter((n) =>
    texts.some((text) => new RegExp(`mail-of-p${n}-only|alias-of-p${n}(?!\\d)`).test(text)),
  );
}
