/** Long files are judged in threads: what is in the pool afterwards is the same, to the number of every row. */
import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAssessor, readShippedModel } from "../../../src/analysis/analysis.ts";
import { createJudge, type ImportOptions, importFile } from "../../../src/ingest/ingest.ts";
import type { JudgeRecipe } from "../../../src/ingest/judge.ts";
import { openPlaces } from "../../../src/places/places.ts";
import type { Pool } from "../../../src/pool/pool.ts";
import { openPostgresPool } from "../../../src/pool/postgres/postgres-pool.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { program } from "../../faults/server-process.ts";
import { isLong } from "../../long.ts";
import { readRankedRows } from "../../pool/ranked-rows.ts";
import { hasPostgres, newDatabase } from "../../postgres/database.ts";
import { createRandom, drawSeed } from "../../random.ts";
import { factsOf } from "../sample.ts";

const root = join(import.meta.dir, "../../..");
const model = readShippedModel();
const judge = createJudge({
  assess: createAssessor(createVocabulary(), model),
  places: openPlaces(),
  asOf: "2026-11-01",
  model,
});

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "roster-threads-"));
  ends.push(() => rmSync(path, { recursive: true }));
  return path;
};

function openPool(path = ":memory:"): Pool {
  const pool = openSqlitePool(path, { now: () => new Date("2026-11-21T12:00:00Z") });
  ends.push(() => pool.close());
  return pool;
}

async function load(pool: Pool, content: string, options: Partial<ImportOptions> = {}) {
  const path = join(folder(), "people.jsonl");
  writeFileSync(path, content);
  const { file: _, ...summary } = await importFile(path, { pool, judge, ...options });
  return summary;
}

async function readAll(pool: Pool) {
  const logins = await pool.logins();
  return {
    rows: await readRankedRows(pool),
    facts: await pool.findFacts(logins),
    analyses: await pool.findWrittenAnalyses(logins),
    cards: await pool.findCards(logins),
    findables: (await Array.fromAsync(pool.findables())).flat(),
  };
}

/** Threads begin after the first 500. */
const drawn = isLong ? 1800 : 800;

/** Few enough logins that many come again, near and far; bad lines, and forms that `export` does not write. */
function drawFile(random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const bios = ["Rust.", "CTO at Example.", "Go, Kubernetes."];
  const lines = Array.from({ length: drawn }, (_, at) => {
    const isAgain = random() < 0.3;
    const login = `p${isAgain ? Math.floor(random() * drawn) : at}`;
    const text = JSON.stringify(
      factsOf(login, { bio: pick(bios), location: pick(["Berlin", "Oslo"]) }),
    );
    const chance = random();
    if (chance < 0.02) return pick(["{bad}", "[]", text.replace("bio", "boi")]);
    if (chance < 0.06) return text.replaceAll(":", ": ");
    return chance < 0.1 ? text.replace('{"login":"p', '{"login":"\\u0070') : text;
  });
  return lines.join("\n");
}

test("any number of threads leaves the same rows, counts and complaints, the first time and again", async () => {
  const random = createRandom(drawSeed("threads that judge"));
  const files = [drawFile(random), drawFile(random)];
  const runs = [];
  for (const threads of isLong ? [0, 1, 3] : [0, 3]) {
    const pool = openPool();
    const rejected: unknown[] = [];
    const summaries = [];
    // The second time, those who come as they are held are confirmed while others are judged.
    for (const content of [files[0], files[1], files[0]]) {
      const onRejected = (one: unknown) => rejected.push(one);
      summaries.push(await load(pool, content ?? "", { threads, onRejected }));
    }
    runs.push({ summaries, rejected, held: await readAll(pool) });
  }
  for (const run of runs.slice(1)) expect(run).toEqual(runs[0] as never);
});

function countStaged(path: string): number {
  try {
    using staged = new Database(path, { readonly: true });
    return (staged.query("SELECT max(row_id) AS last FROM developer").get() as { last: number })
      .last;
  } catch {
    // The file is being made.
    return 0;
  }
}

const manyLines = Array.from({ length: 3000 }, (_, at) =>
  JSON.stringify(factsOf(`p${at}`, { bio: "Rust." })),
).join("\n");
/** Enough for a thread. */
const fewerLines = manyLines.split("\n", 700).join("\n");

test.skipIf(!hasPostgres)("PostgreSQL takes what threads have packed", async () => {
  const database = { url: await newDatabase(), connectionsMax: 4 };
  const pool = await openPostgresPool(database, { now: () => new Date("2026-11-21T12:00:00Z") });
  ends.push(() => pool.close());
  const other = openPool();
  for (const one of [pool, other]) {
    expect(await load(one, fewerLines, { threads: 1 })).toMatchObject({ added: 700 });
  }
  const logins = await other.logins();
  expect(await pool.findFacts(logins)).toEqual(await other.findFacts(logins));
  expect(await pool.findWrittenAnalyses(logins)).toEqual(await other.findWrittenAnalyses(logins));
});

describe("nothing is imported, and the next import runs,", () => {
  test("when a thread cannot judge", async () => {
    const pool = openPool();
    const recipe = { model: {}, asOf: "2026-11-01", publishCommitEmails: false };
    const wrong = Object.assign((...given: Parameters<typeof judge>) => judge(...given), {
      recipe: recipe as unknown as JudgeRecipe,
    });
    await expect(load(pool, manyLines, { judge: wrong, threads: 2 })).rejects.toThrow();
    expect(await pool.size()).toBe(0);
    expect(await load(pool, fewerLines, { threads: 1 })).toMatchObject({ added: 700 });
  });

  test("when it is killed while threads judge", async () => {
    const [data, file] = [folder(), join(folder(), "people.jsonl")];
    writeFileSync(file, manyLines);
    const importing = ["import", file, "--data", data, "--threads", "2", "--quiet"];
    const start = () => Bun.spawn([...program, ...importing], { cwd: root });
    const killed = start();
    const path = join(data, "pool.db");
    // Early: this process may be kept from looking for a while.
    while (killed.exitCode === null && countStaged(path) < 200) await Bun.sleep(1);
    killed.kill("SIGKILL");
    await killed.exited;
    expect(await openPool(path).size()).toBe(0);
    writeFileSync(file, fewerLines);
    expect(await start().exited).toBe(0);
    expect(await openPool(path).size()).toBe(700);
  });

  test("when it is stopped while threads judge", async () => {
    const pool = openPool();
    const stop = new AbortController();
    const onProgress = ({ lines }: { readonly lines: number }) => {
      if (lines > 800) stop.abort();
    };
    const stopped = load(pool, manyLines, { threads: 2, signal: stop.signal, onProgress });
    await expect(stopped).rejects.toMatchObject({ code: "interrupted" });
    expect(await pool.size()).toBe(0);
    expect(await load(pool, fewerLines, { threads: 1 })).toMatchObject({ added: 700 });
  });
});
