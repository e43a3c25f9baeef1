import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { writeDeveloper } from "../../src/contract/people/developer.ts";
import type { Pool } from "../../src/pool/pool.ts";
import { type Invented, invented } from "./invented.ts";
import { readRankedRows } from "./ranked-rows.ts";

export type OpenPool = (
  place: string,
  options: { readonly now: () => Date },
) => Pool | Promise<Pool>;

/** What every adapter of `Pool` must do. @param runs of the generated sequences. @param openAt opens what is kept at a place; two at one place see the same. */
export function describePool(openAt: OpenPool, { runs = 60 } = {}): void {
  let clock = new Date("2026-11-21T12:00:00Z");
  const now = () => clock;
  let folder: string;
  const opened: Pool[] = [];

  beforeEach(() => {
    clock = new Date("2026-11-21T12:00:00Z");
    folder = mkdtempSync(join(tmpdir(), "roster-pool-"));
  });
  afterEach(async () => {
    for (const pool of opened.splice(0)) await pool.close();
    rmSync(folder, { recursive: true });
  });

  async function open(path = ":memory:"): Promise<Pool> {
    const pool = await openAt(path, { now });
    opened.push(pool);
    return pool;
  }

  async function bring(pool: Pool, people: readonly Invented[], removed: readonly string[] = []) {
    const load = await pool.beginImport("test");
    await load.put(people.map(invented));
    for (const source of removed) await load.removeSource(source);
    return load.commit();
  }

  const logins = async (pool: Pool) =>
    (await Array.fromAsync(pool.facts())).flat().map((facts) => facts.login);
  const nothing = { added: 0, replaced: 0, unchanged: 0, removed: 0, suppressed: 0 };

  test("rows that an import replaced go once every index has moved on, without another import", async () => {
    const pool = await open(join(folder, "pool.db"));
    for (const searchable of [true, false, true]) await bring(pool, [{ login: "ada", searchable }]);
    const [row] = await readRankedRows(pool);
    const rows = [1, 2, 3];
    while (await pool.reclaim());
    expect((await pool.cards(rows)).size).toBe(3);
    clock = new Date(clock.getTime() + 11 * 60_000);
    while (await pool.reclaim());
    expect([...(await pool.cards(rows)).keys()]).toEqual([row?.rowId ?? 0]);
  });

  describe("reading", () => {
    test("a new pool is empty, at revision 0", async () => {
      const pool = await open();
      expect(await pool.revision()).toBe(0);
      expect(await pool.size()).toBe(0);
      expect(await readRankedRows(pool)).toEqual([]);
      expect((await pool.findCards(["nobody"]))[0]).toBeUndefined();
      expect(await pool.sources()).toEqual([]);
    });

    test("what was put comes back as it was, by login without case", async () => {
      const pool = await open();
      await bring(pool, [{ login: "Ada-Example" }]);
      const expected = invented({ login: "Ada-Example" });
      expect((await pool.findCards(["ada-EXAMPLE"]))[0]).toEqual(expected.card);
      expect((await pool.findAnalyses(["ada-example"]))[0]).toEqual(expected.analysis);
      expect((await pool.findFacts(["ADA-example"]))[0]).toEqual(expected.facts);
      const [row] = await readRankedRows(pool);
      expect(row?.standing).toEqual(expected.standing);
      expect((await pool.cards([row?.rowId ?? 0])).get(row?.rowId ?? 0)).toEqual(expected.card);
    });

    test("logins are listed part by part, each visible one once, without regard to case", async () => {
      const pool = await open();
      await bring(
        pool,
        ["bea", "Zed", "ada", "Cid", "b-2"].map((login) => ({ login })),
      );
      await bring(pool, [{ login: "ada", bio: "Another." }]);
      const load = await pool.beginImport("test");
      await load.put([invented({ login: "staged" })]);
      const listed: string[][] = [];
      for (let after: string | undefined = ""; after !== undefined; ) {
        const some = await pool.loginsAfter(after, 2);
        after = some.at(-1)?.toUpperCase();
        listed.push([...some]);
      }
      await load.abort();
      expect(listed).toEqual([["ada", "b-2"], ["bea", "Cid"], ["Zed"], []]);
    });

    test("bots are found by login and are no standing", async () => {
      const pool = await open();
      await bring(pool, [{ login: "ada" }, { login: "helpful-bot", searchable: false }]);
      expect((await pool.findCards(["helpful-bot"]))[0]).toBeDefined();
      expect((await readRankedRows(pool)).map(({ standing }) => standing.login)).toEqual(["ada"]);
    });

    test("searchable rows tell what an index lacks: those alone can be read, and another one for whoever changed", async () => {
      const pool = await open();
      expect(await pool.searchableRows()).toEqual({ revision: 0, rowIds: new Uint32Array(0) });
      const three = [
        { login: "ada" },
        { login: "helpful-bot", searchable: false },
        { login: "bea" },
      ];
      await bring(pool, three);
      const before = await pool.searchableRows();
      expect(before.revision).toBe(1);
      await bring(pool, [{ login: "cid" }, { login: "ada", bio: "Another." }]);
      const after = await pool.searchableRows();
      expect(after.revision).toBe(2);
      expect([...after.rowIds]).toEqual([...after.rowIds].sort((a, b) => a - b));
      const loginsOf = async (rowIds: Uint32Array) =>
        (await readRankedRows(pool, rowIds)).map(({ standing }) => standing.login);
      const isNew = (rowId: number) => !before.rowIds.includes(rowId);
      expect(await loginsOf(after.rowIds.filter(isNew))).toEqual(["cid", "ada"]);
      expect(await loginsOf(after.rowIds.filter((rowId) => !isNew(rowId)))).toEqual(["bea"]);
      expect((await loginsOf(after.rowIds)).toSorted()).toEqual(["ada", "bea", "cid"]);
      // An index that is still being built reads its rows as they were.
      expect(await loginsOf(before.rowIds)).toEqual(["ada", "bea"]);
      expect(await loginsOf(new Uint32Array(0))).toEqual([]);
    });

    test("two streams at once, one of them left early, do not disturb each other", async () => {
      const pool = await open();
      await bring(
        pool,
        ["a", "b", "c"].map((login) => ({ login })),
      );
      const seen: string[] = [];
      for await (const batch of pool.facts()) {
        for (const outer of batch) {
          seen.push(outer.login);
          for await (const _ of pool.facts()) break;
          expect((await pool.findCards([outer.login]))[0]).toBeDefined();
        }
      }
      expect(seen).toEqual(["a", "b", "c"]);
    });
  });

  describe("former logins", () => {
    const found = async (pool: Pool, login: string) => (await pool.findCards([login]))[0]?.login;

    test("lead to who has given them up, but never to facts or past a current login", async () => {
      const pool = await open();
      await bring(pool, [{ login: "ada", formerLogins: ["Ada-1", "ben"] }, { login: "ben" }]);
      expect(await found(pool, "aDA-1")).toBe("ada");
      expect((await pool.findAnalyses(["ada-1"]))[0]?.profile.login).toBe("ada");
      expect((await pool.findRankingFeatures("ada-1"))?.standing.login).toBe("ada");
      expect((await pool.findStoredDeveloper("ada-1"))?.facts.login).toBe("ada");
      expect(await pool.findFacts(["ada-1"])).toEqual([undefined]);
      expect(await found(pool, "ben")).toBe("ben");
    });

    test("lead nowhere while two had them, and once their owner has gone", async () => {
      const pool = await open();
      await bring(pool, [
        { login: "ada", formerLogins: ["both", "hers"] },
        { login: "bea", source: "other", formerLogins: ["both"] },
      ]);
      expect(await found(pool, "both")).toBeUndefined();
      await bring(pool, [], ["other"]);
      expect(await found(pool, "both")).toBe("ada");
      await bring(pool, [{ login: "ada" }]);
      expect(await found(pool, "hers")).toBeUndefined();
    });

    test("of an import are not seen before its commit", async () => {
      const pool = await open();
      await bring(pool, [{ login: "ada-1" }]);
      const load = await pool.beginImport("test");
      await load.put([invented({ login: "ada", formerLogins: ["ada-1", "ada-2"] })]);
      await load.remove(["ada-1"]);
      expect([await found(pool, "ada-1"), await found(pool, "ada-2")]).toEqual([
        "ada-1",
        undefined,
      ]);
      // Nobody is lost, so no limit on removals refuses it.
      await load.limitRemovals(0);
      expect(await load.commit()).toMatchObject({ added: 1, removed: 1 });
      expect([await found(pool, "ada-1"), await found(pool, "ada-2")]).toEqual(["ada", "ada"]);
    });
  });

  describe("importing", () => {
    test("nothing is seen before the commit, everything after, by one step of the revision", async () => {
      const pool = await open();
      await bring(pool, [{ login: "ada", bio: "Before." }]);
      const load = await pool.beginImport("test");
      await load.put([invented({ login: "ada", bio: "After." }), invented({ login: "bea" })]);
      expect(await pool.revision()).toBe(1);
      expect(await pool.size()).toBe(1);
      expect((await pool.findCards(["ada"]))[0]?.bio).toBe("Before.");
      expect((await pool.findCards(["bea"]))[0]).toBeUndefined();
      const report = await load.commit();
      expect(report).toEqual({ ...nothing, revision: 2, added: 1, replaced: 1 });
      expect((await pool.findCards(["ada"]))[0]?.bio).toBe("After.");
      expect(await logins(pool)).toEqual(["ada", "bea"]);
    });

    test("the same again changes nothing, not even the revision", async () => {
      const pool = await open();
      await bring(pool, [{ login: "ada" }, { login: "bea" }]);
      const rowIds = (await readRankedRows(pool)).map(({ rowId }) => rowId);
      clock = new Date("2026-11-21T13:00:00Z");
      const report = await bring(pool, [{ login: "ada" }, { login: "bea" }]);
      expect(report).toEqual({ ...nothing, revision: 1, unchanged: 2 });
      expect((await readRankedRows(pool)).map(({ rowId }) => rowId)).toEqual(rowIds);
      expect(await pool.sources()).toEqual([
        { source: "test", developers: 2, lastImportAt: "2026-11-21T13:00:00.000Z" },
      ]);
    });

    test("an import knows whom it would leave as another model judged them, and the pool by which model all were", async () => {
      const pool = await open();
      expect(await pool.model()).toBeUndefined();
      await bring(pool, [
        { login: "a", source: "demo" },
        { login: "b", source: "git" },
        { login: "C", source: "git" },
        { login: "d", source: "git" },
      ]);
      expect(await pool.model()).toBe("");
      const load = await pool.beginImport("test");
      await load.put([invented({ login: "b", source: "git", bio: "Another." })], "2 of today");
      await load.put([invented({ login: "d", source: "git" })], "2 of today");
      await load.removeSource("demo");
      expect(await load.judgedOtherwise("2")).toEqual(["C"]);
      expect(await load.judgedOtherwise("2 of")).toEqual(["C"]);
      expect(await load.judgedOtherwise("3")).toEqual(["C", "d"]);
      await load.put([invented({ login: "C", source: "git", bio: "Another." })], "2 of today");
      expect(await load.judgedOtherwise("2")).toEqual([]);
      await load.commit();
      expect(await pool.model()).toBe("2");
    });

    test("an import given up leaves no trace, and cannot be used again", async () => {
      const pool = await open();
      await bring(pool, [{ login: "ada" }]);
      const load = await pool.beginImport("test");
      await load.put([invented({ login: "ada", bio: "Never seen." }), invented({ login: "bea" })]);
      await load.abort();
      await load.abort();
      await expect(load.put([])).rejects.toThrow("already ended");
      await expect(load.commit()).rejects.toThrow("already ended");
      expect(await logins(pool)).toEqual(["ada"]);
      expect((await pool.findCards(["ada"]))[0]?.bio).toBe("An invented person.");
      expect(await pool.revision()).toBe(1);
    });

    test("a second import is refused while one runs, from the same pool or another", async () => {
      const path = join(folder, "pool.db");
      const [one, other] = [await open(path), await open(path)];
      const load = await one.beginImport("test");
      await expect(one.beginImport("test")).rejects.toThrow("Another import is running");
      await expect(other.beginImport("test")).rejects.toThrow("Another import is running");
      await load.commit();
      await (await other.beginImport("test")).abort();
    });

    test("who waits for the right to import is told who has it, and gets it, or a fault, or is stopped", async () => {
      const place = join(folder, "waiting");
      const [one, other] = [await open(place), await open(place)];
      const held = await one.lockImports("git");
      for (const pool of [one, other]) {
        const told: string[] = [];
        const wait = { longestMs: 600, onBusy: (message: string) => told.push(message) };
        await expect(pool.lockImports("corp", wait)).rejects.toThrow("Another import is running");
        expect(told[0]).toStartWith("Another import is running");
        const stop = new AbortController();
        const onBusy = () => stop.abort(new Error("stopped"));
        const stoppable = { longestMs: 60_000, signal: stop.signal, onBusy };
        await expect(pool.lockImports("corp", stoppable)).rejects.toThrow("stopped");
      }
      const onBusy = () => void held.release();
      const next = await other.lockImports("corp", { longestMs: 60_000, onBusy });
      await expect(one.lockImports("git", { longestMs: 0, onBusy })).rejects.toThrow("running");
      await next.release();
      await (await one.lockImports("git")).release();
    });

    test("another process sees what imports", async () => {
      const place = join(folder, "told");
      const [one, other] = [await open(place), await open(place)];
      const lock = await one.lockImports("git");
      await one.noteProgress({ done: 1, total: 2, unit: "commits" });
      const git = { holder: expect.stringContaining("an ingest of git histories, process ") };
      expect(await other.importUnderWay()).toMatchObject({ ...git, progress: { done: 1 } });
      await lock.release();
      expect(await other.importUnderWay()).toBeUndefined();
    });
  });

  describe("written cards and analyses", () => {
    const profileOf = async (pool: Pool, login: string) => {
      const [card] = await pool.findWrittenCards([login]);
      return card && JSON.parse(writeDeveloper(card));
    };

    test("hold what the card and the analysis hold", async () => {
      const pool = await open();
      await bring(pool, [{ login: "Ada", bio: 'An "invented" person, Zoë by name.' }]);
      const { card, analysis } = invented({ login: "Ada" });
      const { login, keywords, roleKeywords, ...rest } = card;
      const aliases = { github_experience: card.platform_experience };
      const shown = { ...rest, ...aliases, username: login, matching_keywords: keywords };
      const bio = 'An "invented" person, Zoë by name.';
      // A second time, from what is kept.
      for (const _ of "12") expect(await profileOf(pool, "aDA")).toEqual({ ...shown, bio });
      const [text] = await pool.findWrittenAnalyses(["ada"]);
      expect(JSON.parse(text ?? "")).toEqual(analysis);
      const [row] = await readRankedRows(pool);
      const [written, none] = await pool.writtenCards([row?.rowId ?? 0, 999]);
      expect(written).toMatchObject({ login: '"Ada"', keywords, roleKeywords });
      expect(none).toBeUndefined();
      expect(await pool.findWrittenCards(["nobody"])).toEqual([undefined]);
      expect(await pool.findWrittenAnalyses(["nobody"])).toEqual([undefined]);
    });

    test("follow every import and erasure, by this process in the same turn and by others in the next", async () => {
      const path = join(folder, "pool.db");
      const [reader, other] = [await open(path), await open(path)];
      await bring(reader, [{ login: "ada", bio: "First." }, { login: "ben" }]);
      const rowIds = (await readRankedRows(reader)).map((row) => row.rowId);
      expect((await profileOf(reader, "ada"))?.bio).toBe("First.");
      await bring(reader, [{ login: "ada", bio: "Second." }]);
      expect((await profileOf(reader, "ada"))?.bio).toBe("Second.");
      await bring(other, [{ login: "ada", bio: "Third." }]);
      await Bun.sleep(0);
      expect((await profileOf(reader, "ada"))?.bio).toBe("Third.");
      expect((await reader.writtenCards(rowIds)).filter(Boolean)).toHaveLength(2);
      await reader.erasing.hide("ben");
      expect(await profileOf(reader, "ben")).toBeUndefined();
      await other.erasing.hide("ada");
      await Bun.sleep(0);
      expect(await profileOf(reader, "ada")).toBeUndefined();
      expect((await reader.writtenCards(rowIds)).filter(Boolean)).toHaveLength(0);
    });

    test("of rows that nobody sees any more go with their erasure, too", async () => {
      const path = join(folder, "pool.db");
      const [reader, other] = [await open(path), await open(path)];
      await bring(reader, [{ login: "ada" }, { login: "ben" }]);
      const rows = await readRankedRows(reader);
      const rowId = rows.find(({ standing }) => standing.login === "ada")?.rowId ?? 0;
      const load = await reader.beginImport("test");
      await load.remove(["ada"]);
      await load.commit();
      expect(await reader.writtenCards([rowId])).toEqual([expect.anything()]);
      await other.erasing.hide("ada");
      await Bun.sleep(0);
      expect(await reader.writtenCards([rowId])).toEqual([undefined]);
    });
  });

  describe("rows of the revision before", () => {
    const rowIdOf = async (pool: Pool) => (await readRankedRows(pool))[0]?.rowId ?? 0;

    test("stay readable by row id after the switch, and go once every index has moved on", async () => {
      const pool = await open();
      await bring(pool, [{ login: "ada", bio: "First." }]);
      const first = await rowIdOf(pool);
      await bring(pool, [{ login: "ada", bio: "Second." }]);
      const second = await rowIdOf(pool);
      expect((await pool.cards([first, second])).get(first)?.bio).toBe("First.");
      clock = new Date("2026-11-21T12:09:00Z");
      await bring(pool, [{ login: "bea" }]);
      expect((await pool.cards([first])).size).toBe(1);
      clock = new Date("2026-11-21T12:11:00Z");
      await bring(pool, [{ login: "cid" }]);
      expect((await pool.cards([first])).size).toBe(0);
      expect((await pool.cards([second])).get(second)?.bio).toBe("Second.");
    });

    test("a row id is never used twice, even after its row has gone", async () => {
      const pool = await open();
      await bring(pool, [{ login: "ada", bio: "First." }]);
      const first = await rowIdOf(pool);
      for (const [minute, bio] of [
        ["20", "Second."],
        ["40", "Third."],
        ["59", "Fourth."],
      ]) {
        clock = new Date(`2026-11-21T12:${minute}:00Z`);
        await bring(pool, [{ login: "ada", ...(bio ? { bio } : {}) }]);
      }
      expect(await rowIdOf(pool)).toBeGreaterThan(first + 2);
      expect((await pool.cards([first])).size).toBe(0);
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

    test("leaves what a plain map would hold, and reports what changed", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
          clock = new Date("2026-11-21T12:00:00Z");
          const pool = await open();
          let model = new Map<string, Required<Omit<Invented, "searchable" | "formerLogins">>>();
          for (const { people, removed, ends, minutes } of steps) {
            clock = new Date(clock.getTime() + minutes * 60_000);
            const before = model;
            const revision = await pool.revision();
            const load = await pool.beginImport("test");
            await load.put(people.map(invented));
            for (const source of removed) await load.removeSource(source);
            if (ends === "abort") {
              await load.abort();
              expect(await pool.revision()).toBe(revision);
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
            expect(await load.commit()).toEqual({
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
            expect((await Array.fromAsync(pool.facts())).flat()).toEqual(
              expected.map(({ facts }) => facts).sort(byLogin),
            );
            const rankingFeatures = (await readRankedRows(pool)).map(({ standing }) => standing);
            expect(rankingFeatures.sort(byLogin)).toEqual(
              expected.map(({ standing }) => standing).sort(byLogin),
            );
            expect(await pool.size()).toBe(model.size);
            for (const { source, developers } of await pool.sources()) {
              const held = [...model.values()].filter((one) => one.source === source);
              expect(developers).toBe(held.length);
            }
            for (const [key, { asOf }] of model)
              expect((await pool.findAnalyses([key]))[0]?.asOf).toBe(asOf);
          }
          await opened.pop()?.close();
        }),
        { numRuns: runs },
      );
    });
  });
}
