/** Lines of which nothing has changed are known by their digest, and what is in the pool is as if they were not. */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { type ImportOptions, importFile, rescore } from "../../../src/ingest/ingest.ts";
import type { Judge } from "../../../src/ingest/judge.ts";
import type { Pool } from "../../../src/pool/pool.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { invented } from "../../pool/invented.ts";
import { createRandom, drawSeeds } from "../../random.ts";
import { factsOf, lineOf } from "../sample.ts";

const now = () => new Date("2026-11-21T12:00:00Z");
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function openPool(): Pool {
  const pool = openSqlitePool(":memory:", { now });
  ends.push(() => pool.close());
  return pool;
}

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "roster-unchanged-"));
  ends.push(() => rmSync(path, { recursive: true }));
  return path;
};

/** Figures depend on the facts and the day; counts whom it judges. */
function countingJudge(asOf: string, knowsBasis = true) {
  const judged: string[] = [];
  const judge = (facts: Facts) => {
    judged.push(facts.login);
    const { login, source, profile } = facts;
    return { ...invented({ login, source, asOf, bio: profile.bio ?? "None." }), facts };
  };
  return { judged, judge: (knowsBasis ? Object.assign(judge, { basis: asOf }) : judge) as Judge };
}

async function load(pool: Pool, content: string, options: Partial<ImportOptions> = {}) {
  const path = join(folder(), "people.jsonl");
  writeFileSync(path, content);
  const { judged, judge } = countingJudge("2026-11-01");
  const summary = await importFile(path, { pool, judge, ...options });
  return { ...summary, judged };
}

const content = lineOf("ada") + lineOf("bea", { bio: "Žofie's neighbour" }) + lineOf("cid");

const reverseKeys = (line: string) =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse()));

describe("a second import judges", () => {
  test.each([
    ["not changed", (line: string) => line],
    ["spaces after colons", (line: string) => line.replaceAll(":", ": ")],
    ["line ends of Windows", (line: string) => `${line}\r`],
    ["keys in another order", reverseKeys],
    ["letters as escapes", (line: string) => line.replaceAll("Ž", "\\u017d").replace(":", " :")],
  ])("nobody, when the file has %s", async (_, change) => {
    const pool = openPool();
    const other = content
      .split("\n")
      .map((line) => line && change(line))
      .join("\n");
    expect((await load(pool, other)).judged).toEqual(["ada", "bea", "cid"]);
    const again = await load(pool, other);
    expect(again).toMatchObject({ unchanged: 3, rejected: 0, revision: 1 });
    expect(again.judged).toEqual([]);
  });

  test("those who have changed, and who is new", async () => {
    const pool = openPool();
    await load(pool, content);
    const changed = lineOf("ada") + lineOf("bea", { bio: "New." }) + lineOf("dan");
    const summary = await load(pool, changed);
    expect(summary).toMatchObject({ added: 1, replaced: 1, unchanged: 1 });
    expect(summary.judged).toEqual(["bea", "dan"]);
  });

  test("everybody, as of another day or by another model, and then nobody again", async () => {
    const pool = openPool();
    await load(pool, content);
    const later = countingJudge("2026-11-02");
    expect(await load(pool, content, { judge: later.judge })).toMatchObject({ unchanged: 3 });
    expect(later.judged).toEqual(["ada", "bea", "cid"]);
    expect((await pool.findAnalyses(["ada"]))[0]?.asOf).toBe("2026-11-02");
    await load(pool, content, { judge: later.judge });
    expect(later.judged).toHaveLength(3);
    // Nor whom rescore has judged by the same meanwhile.
    const latest = countingJudge("2026-11-03");
    await rescore({ pool, judge: latest.judge, write: true, movesMax: 0 });
    await load(pool, content, { judge: latest.judge });
    expect(latest.judged).toHaveLength(3);
  });

  test("everybody whom nobody said by what they were judged, once", async () => {
    const pool = openPool();
    await load(pool, content, { judge: countingJudge("2026-11-01", false).judge });
    expect((await load(pool, content)).judged).toHaveLength(3);
    expect((await load(pool, content)).judged).toEqual([]);
  });
});

test("a person erased after their line was confirmed is gone when the import ends", async () => {
  const pool = openPool();
  await load(pool, content);
  const running = await pool.beginImport("import");
  const given = ["ada", "bea"].map((login) => ({ login, text: JSON.stringify(factsOf(login)) }));
  expect(await running.confirm(given, "2026-11-01")).toEqual([true, false]);
  await pool.erasing.hide("ada");
  expect(await running.commit()).toMatchObject({ unchanged: 0 });
  expect(await pool.logins()).toEqual(["bea", "cid"]);
});

/** A later line of somebody left out did not take an earlier one back. */
const failedOnce = [639_252];
const seeds = drawSeeds("unchanged lines", failedOnce);

test.each(seeds)(
  "files in any order leave what judging all of them leaves, seed %d",
  async (seed) => {
    const random = createRandom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const names = ["ada", "Ada", "bea", "cid", "dan", "eve"];
    const drawLine = () => {
      const facts = { ...factsOf(pick(names), { bio: pick(["One.", "Two."]) }) };
      if (random() < 0.3) facts.source = "demo";
      if (random() < 0.2) facts.formerLogins = [`${pick(names)}-before`];
      const text = JSON.stringify(facts);
      return random() < 0.1 ? "{bad}" : random() < 0.2 ? text.replaceAll(":", ": ") : text;
    };
    const [quick, slow] = [openPool(), openPool()];
    for (let run = 0; run < 30; run++) {
      const lines = Array.from({ length: 1 + Math.floor(random() * 8) }, drawLine);
      // Alone, a bad line is refused; long enough, a file takes more than one batch.
      lines.push(JSON.stringify(factsOf("sure")), ...(run % 10 === 9 ? manyLines : []), drawLine());
      const asOf = pick(["2026-11-01", "2026-11-01", "2026-11-02"]);
      const replaceDemo = random() < 0.2;
      const erased = run % 10 === 5 ? pick(names) : undefined;
      const outcomes = [];
      for (const pool of [quick, slow]) {
        const { judge } = countingJudge(asOf, pool === quick);
        const options = { judge, replaceDemo, canRemoveMany: true };
        const { judged: _, file: __, ...summary } = await load(pool, lines.join("\n"), options);
        if (erased !== undefined) await pool.erasing.hide(erased);
        outcomes.push({ summary, held: await readAll(pool) });
      }
      expect(outcomes[0]).toEqual(outcomes[1]);
    }
  },
);

const manyLines = Array.from({ length: 130 }, (_, at) => JSON.stringify(factsOf(`many-${at}`)));

/** All that is held of everybody, by login: rows may have other numbers. */
async function readAll(pool: Pool) {
  const logins = await pool.logins();
  const ranked = await Promise.all(logins.map((login) => pool.findRankingFeatures(login)));
  const findable = (await Array.fromAsync(pool.findables())).flat();
  return {
    facts: await pool.findFacts(logins),
    analyses: await pool.findAnalyses(logins),
    cards: await pool.findCards(logins),
    ranked: ranked.map((row) => row?.standing),
    findable: findable.map(({ rowId: _, ...keys }) => keys),
    sources: await pool.sources(),
    revision: await pool.revision(),
  };
}
