import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openPool, type Pool } from "../../src/pool/pool.ts";
import { type Invented, invented } from "./invented.ts";

let clock = new Date("2026-11-21T12:00:00Z");
const now = () => clock;
let folder: string;

beforeEach(() => {
  clock = new Date("2026-11-21T12:00:00Z");
  folder = mkdtempSync(join(tmpdir(), "roster-pool-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const open = (path = ":memory:") => openPool(path, { now });

function bring(pool: Pool, people: readonly Invented[], removed: readonly string[] = []) {
  const load = pool.beginImport("test");
  load.put(people.map(invented));
  for (const source of removed) load.removeSource(source);
  return load.commit();
}

const logins = (pool: Pool) => [...pool.facts()].map((facts) => facts.login);

describe("reading", () => {
  test("a new pool is empty, at revision 0", () => {
    const pool = open();
    expect(pool.revision()).toBe(0);
    expect(pool.size()).toBe(0);
    expect([...pool.rankingFeatures()]).toEqual([]);
    expect(pool.findCard("nobody")).toBeUndefined();
    expect(pool.sources()).toEqual([]);
    pool.close();
  });

  test("what was put comes back as it was, by login without case", () => {
    const pool = open();
    bring(pool, [{ login: "Ada-Example" }]);
    const expected = invented({ login: "Ada-Example" });
    expect(pool.findCard("ada-EXAMPLE")).toEqual(expected.card);
    expect(pool.findAnalysis("ada-example")).toEqual(expected.analysis);
    expect(pool.findFacts("ADA-example")).toEqual(expected.facts);
    const [row] = pool.rankingFeatures();
    expect(row?.standing).toEqual(expected.standing);
    expect(pool.cards([row?.rowId ?? 0]).get(row?.rowId ?? 0)).toEqual(expected.card);
    pool.close();
  });

  test("bots are found by login and are no standing", () => {
    const pool = open();
    bring(pool, [{ login: "ada" }, { login: "helpful-bot", searchable: false }]);
    expect(pool.findCard("helpful-bot")).toBeDefined();
    expect([...pool.rankingFeatures()].map(({ standing }) => standing.login)).toEqual(["ada"]);
    pool.close();
  });

  test("facts come by login in code-unit order, whatever the order they were put in", () => {
    const pool = open();
    bring(
      pool,
      ["b", "Z", "a", "_x", "A.", "0"].map((login) => ({ login })),
    );
    expect(logins(pool)).toEqual(["0", "A.", "Z", "_x", "a", "b"]);
    pool.close();
  });

  test("two streams at once, one of them left early, do not disturb each other", () => {
    const pool = open();
    bring(
      pool,
      ["a", "b", "c"].map((login) => ({ login })),
    );
    const seen: string[] = [];
    for (const outer of pool.facts()) {
      seen.push(outer.login);
      for (const _ of pool.facts()) break;
      expect(pool.findCard(outer.login)).toBeDefined();
    }
    expect(seen).toEqual(["a", "b", "c"]);
    pool.close();
  });
});

describe("importing", () => {
  test("nothing is seen before the commit, everything after, by one step of the revision", () => {
    const pool = open();
    bring(pool, [{ login: "ada", bio: "Before." }]);
    const load = pool.beginImport("test");
    load.put([invented({ login: "ada", bio: "After." }), invented({ login: "bea" })]);
    expect(pool.revision()).toBe(1);
    expect(pool.size()).toBe(1);
    expect(pool.findCard("ada")?.bio).toBe("Before.");
    expect(pool.findCard("bea")).toBeUndefined();
    const report = load.commit();
    expect(report).toEqual({
      revision: 2,
      added: 1,
      replaced: 1,
      unchanged: 0,
      removed: 0,
      suppressed: 0,
    });
    expect(pool.findCard("ada")?.bio).toBe("After.");
    expect(logins(pool)).toEqual(["ada", "bea"]);
    pool.close();
  });

  test("the same again changes nothing, not even the revision", () => {
    const pool = open();
    bring(pool, [{ login: "ada" }, { login: "bea" }]);
    const rowIds = [...pool.rankingFeatures()].map(({ rowId }) => rowId);
    clock = new Date("2026-11-21T13:00:00Z");
    const report = bring(pool, [{ login: "ada" }, { login: "bea" }]);
    expect(report).toEqual({
      revision: 1,
      added: 0,
      replaced: 0,
      unchanged: 2,
      removed: 0,
      suppressed: 0,
    });
    expect([...pool.rankingFeatures()].map(({ rowId }) => rowId)).toEqual(rowIds);
    expect(pool.sources()).toEqual([
      { source: "test", developers: 2, lastImportAt: "2026-11-21T13:00:00.000Z" },
    ]);
    pool.close();
  });

  test("the same facts judged as of another day are unchanged facts and a new judgement", () => {
    const pool = open();
    bring(pool, [{ login: "ada", asOf: "2026-10-01" }]);
    const report = bring(pool, [{ login: "ada", asOf: "2026-11-01" }]);
    expect(report).toEqual({
      revision: 2,
      added: 0,
      replaced: 0,
      unchanged: 1,
      removed: 0,
      suppressed: 0,
    });
    expect(pool.findAnalysis("ada")?.asOf).toBe("2026-11-01");
    pool.close();
  });

  test("removing a source spares who this import brings, and says how many went", () => {
    const pool = open();
    bring(pool, [
      { login: "a", source: "demo" },
      { login: "b", source: "demo" },
      { login: "c", source: "demo" },
      { login: "d", source: "git" },
    ]);
    const again = { login: "c", source: "demo" };
    const report = bring(pool, [{ login: "A", source: "git" }, again], ["demo"]);
    expect(report).toEqual({
      revision: 2,
      added: 0,
      replaced: 1,
      unchanged: 1,
      removed: 1,
      suppressed: 0,
    });
    expect(logins(pool)).toEqual(["A", "c", "d"]);
    expect(pool.sources().map(({ source, developers }) => [source, developers])).toEqual([
      ["demo", 1],
      ["git", 2],
    ]);
    pool.close();
  });

  test("an import given up leaves no trace, and cannot be used again", () => {
    const pool = open();
    bring(pool, [{ login: "ada" }]);
    const load = pool.beginImport("test");
    load.put([invented({ login: "ada", bio: "Never seen." }), invented({ login: "bea" })]);
    load.abort();
    load.abort();
    expect(() => load.put([])).toThrow("already ended");
    expect(() => load.commit()).toThrow("already ended");
    expect(logins(pool)).toEqual(["ada"]);
    expect(pool.findCard("ada")?.bio).toBe("An invented person.");
    expect(pool.revision()).toBe(1);
    pool.close();
  });

  test("a second import is refused while one runs, from the same pool or another", () => {
    const path = join(folder, "pool.db");
    const [one, other] = [open(path), open(path)];
    const load = one.beginImport("test");
    expect(() => one.beginImport("test")).toThrow("Another import is running");
    expect(() => other.beginImport("test")).toThrow("Another import is running");
    load.commit();
    other.beginImport("test").abort();
    one.close();
    other.close();
  });

  test("another open pool sees the change without being opened again", () => {
    const path = join(folder, "pool.db");
    const [writer, reader] = [open(path), open(path)];
    bring(writer, [{ login: "ada" }]);
    expect(reader.revision()).toBe(1);
    expect(reader.findCard("ada")).toBeDefined();
    writer.close();
    reader.close();
  });
});

describe("rows of the revision before", () => {
  const rowIdOf = (pool: Pool) => [...pool.rankingFeatures()][0]?.rowId ?? 0;

  test("stay readable by row id after the switch, and go once every index has moved on", () => {
    const pool = open();
    bring(pool, [{ login: "ada", bio: "First." }]);
    const first = rowIdOf(pool);
    bring(pool, [{ login: "ada", bio: "Second." }]);
    const second = rowIdOf(pool);
    expect(pool.cards([first, second]).get(first)?.bio).toBe("First.");
    clock = new Date("2026-11-21T12:09:00Z");
    bring(pool, [{ login: "bea" }]);
    expect(pool.cards([first]).size).toBe(1);
    clock = new Date("2026-11-21T12:11:00Z");
    bring(pool, [{ login: "cid" }]);
    expect(pool.cards([first]).size).toBe(0);
    expect(pool.cards([second]).get(second)?.bio).toBe("Second.");
    pool.close();
  });

  test("a row id is never used twice, even after its row has gone", () => {
    const pool = open();
    bring(pool, [{ login: "ada", bio: "First." }]);
    const first = rowIdOf(pool);
    for (const [minute, bio] of [
      ["20", "Second."],
      ["40", "Third."],
      ["59", "Fourth."],
    ]) {
      clock = new Date(`2026-11-21T12:${minute}:00Z`);
      bring(pool, [{ login: "ada", ...(bio ? { bio } : {}) }]);
    }
    expect(rowIdOf(pool)).toBeGreaterThan(first + 2);
    expect(pool.cards([first]).size).toBe(0);
    pool.close();
  });
});

describe("any sequence of imports", () => {
  const person = fc.record({
    login: fc.constantFrom("a", "A", "b", "B-x", "c", "d"),
    source: fc.constantFrom("demo", "git"),
    bio: fc.constantFrom("One.", "Two."),
    asOf: fc.constantFrom("2026-10-01", "2026-11-01"),
  });
  const step = fc.record({
    people: fc.array(person, { maxLength: 6 }),
    removed: fc.subarray(["demo", "git"]),
    ends: fc.constantFrom("commit", "abort"),
    minutes: fc.integer({ min: 0, max: 15 }),
  });

  test("leaves what a plain map would hold, and reports what changed", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        clock = new Date("2026-11-21T12:00:00Z");
        const pool = open();
        let model = new Map<string, Required<Omit<Invented, "searchable">>>();
        for (const { people, removed, ends, minutes } of steps) {
          clock = new Date(clock.getTime() + minutes * 60_000);
          const before = model;
          const revision = pool.revision();
          const load = pool.beginImport("test");
          load.put(people.map(invented));
          for (const source of removed) load.removeSource(source);
          if (ends === "abort") {
            load.abort();
            expect(pool.revision()).toBe(revision);
            continue;
          }
          const brought = new Map(people.map((one) => [one.login.toLowerCase(), one]));
          const spared = [...before].filter(([, { source }]) => !removed.includes(source));
          model = new Map([...spared, ...brought]);
          const same = (key: string, withJudgement: boolean) => {
            const [old, now] = [before.get(key), brought.get(key)];
            const text = (one: typeof old) =>
              JSON.stringify([one?.login, one?.source, one?.bio, withJudgement && one?.asOf]);
            return text(old) === text(now);
          };
          const keys = [...brought.keys()];
          const gone = [...before.keys()].filter((key) => !model.has(key)).length;
          const isChange = gone > 0 || keys.some((key) => !same(key, true));
          expect(load.commit()).toEqual({
            revision: revision + (isChange ? 1 : 0),
            added: keys.filter((key) => !before.has(key)).length,
            replaced: keys.filter((key) => before.has(key) && !same(key, false)).length,
            unchanged: keys.filter((key) => before.has(key) && same(key, false)).length,
            removed: gone,
            suppressed: 0,
          });
          const expected = [...model.values()].map(invented);
          const byLogin = (one: { login: string }, other: { login: string }) =>
            one.login < other.login ? -1 : 1;
          expect([...pool.facts()]).toEqual(expected.map(({ facts }) => facts).sort(byLogin));
          const rankingFeatures = [...pool.rankingFeatures()].map(({ standing }) => standing);
          expect(rankingFeatures.sort(byLogin)).toEqual(
            expected.map(({ standing }) => standing).sort(byLogin),
          );
          expect(pool.size()).toBe(model.size);
          for (const { source, developers } of pool.sources()) {
            const held = [...model.values()].filter((one) => one.source === source);
            expect(developers).toBe(held.length);
          }
          for (const [key, { asOf }] of model) expect(pool.findAnalysis(key)?.asOf).toBe(asOf);
        }
        pool.close();
      }),
      { numRuns: 60 },
    );
  });
});
