import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { followLines } from "../child-output.ts";
import { person } from "../pool/person.ts";
import { readRankedRows } from "../pool/ranked-rows.ts";
import { createRandom, drawSeed } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const people = 60;
const now = () => new Date();

/** Imports two logins of each person, twice, so that each has a current and a replaced row. */
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

/** Kills the process some milliseconds after it first said a word. @returns all lines that it said. */
async function killAfter(path: string, word: string, milliseconds: number): Promise<string[]> {
  const script = join(import.meta.dir, "forgetting-process.ts");
  const child = Bun.spawn([process.execPath, script, path, String(people)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const said: string[] = [];
  const heard = Promise.withResolvers<void>();
  const followed = followLines(child.stdout, (line) => {
    said.push(line);
    if (line.startsWith(word)) heard.resolve();
  }).then(heard.resolve);
  await heard.promise;
  await Bun.sleep(milliseconds);
  child.kill("SIGKILL");
  await followed;
  return said;
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
    // Erasures that were killed before the files were clean have unfinished receipts.
    const unfinished = await pool.erasing.unfinished();
    expect(unfinished.length).toBeLessThanOrEqual(1 + gone.length - (await finishedOf(pool)));
    expect(await pool.erasing.clean()).toBeUndefined();
    for (const { id } of unfinished) await pool.erasing.finish(id);
    // The list of changes has the logins for 30 days.
    const later = openSqlitePool(path, { now: () => new Date(now().getTime() + 31 * 86_400_000) });
    await later.changes.prune();
    await later.close();
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

/** Checks that each person is complete or gone completely. @returns the numbers of those who are gone. */
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

/** @returns the numbers of people whose address or login is still in a file. */
function traces(folder: string, gone: readonly number[]): number[] {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  return gone.filter((n) =>
    texts.some((text) => new RegExp(`mail-of-p${n}-only|alias-of-p${n}(?!\\d)`).test(text)),
  );
}
