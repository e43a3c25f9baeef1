import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPlaces } from "../../../src/places/places.ts";
import type { Pool } from "../../../src/pool/pool.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { createMemoryIndex } from "../../../src/search/memory/memory-index.ts";
import type { SearchIndex } from "../../../src/search/search-index.ts";
import { invented } from "../../pool/invented.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { fullOfPeople, vocabulary, worldOf } from "../small-world.ts";

const folder = makeFolder("search");

const places = openPlaces();
const now = () => new Date("2026-11-21T12:00:00Z");

interface Opened {
  readonly pool: Pool;
  readonly search: SearchIndex;
  readonly index: string;
  /** What was logged, one line each. */
  readonly lines: string[];
  close(): Promise<void>;
}

/** The real pool, and the real places in the worker, over a folder. */
function open(data: string, edition = "test"): Opened {
  mkdirSync(data, { recursive: true });
  const poolFile = join(data, "pool.db");
  const pool = openSqlitePool(poolFile, { now });
  const lines: string[] = [];
  const note = (_: unknown, line?: string) => void lines.push(line ?? "");
  const log = { debug: () => {}, info: note, warn: note, error: note };
  const search = createMemoryIndex({ pool, places, vocabulary, poolFile, edition, log });
  const close = async () => {
    await search.close();
    await pool.close();
  };
  return { pool, search, index: join(data, "search.index"), lines, close };
}

async function bring(pool: Pool, ...logins: string[]): Promise<void> {
  const load = await pool.beginImport("test");
  await load.put(logins.map((login) => invented({ login })));
  await load.commit();
}

const inBerlin = async (search: SearchIndex) =>
  (await search.find({ location: "Berlin", maxResults: 25, offset: 0 })).total;

let folders = 0;
const newFolder = () => join(folder, String(++folders));

describe("an index over a folder", () => {
  test("is built aside at the first start and read from its file at the next", async () => {
    const data = newFolder();
    const first = open(data);
    await bring(first.pool, "ada", "ben");
    expect(first.search.generation).toBeUndefined();
    await expect(inBerlin(first.search)).rejects.toThrow("Unexpected server error.");
    await first.search.start();
    expect(await inBerlin(first.search)).toBe(2);
    await first.close();
    // Nothing is wrong, so an operator is told nothing.
    expect(first.lines).toEqual([]);

    const next = open(data);
    await next.search.start();
    expect(await inBerlin(next.search)).toBe(2);
    expect(next.lines).toEqual([]);
    await next.close();
  });

  test("is built anew, and says why, when its file is damaged, stale or another version's", async () => {
    const data = newFolder();
    const opened = open(data);
    await bring(opened.pool, "ada");
    await opened.search.start();
    await opened.close();
    const { index } = opened;

    const restart = async (edition = "test") => {
      const again = open(data, edition);
      await again.search.start();
      const total = await inBerlin(again.search);
      await again.close();
      return { total, first: again.lines[0] };
    };
    const bytes = readFileSync(index);
    bytes[bytes.length - 200] = (bytes[bytes.length - 200] as number) ^ 1;
    writeFileSync(index, bytes);
    expect(await restart()).toEqual({
      total: 1,
      first: "search index is damaged: its checksum is wrong; building it from the pool",
    });
    rmSync(index);
    mkdirSync(index);
    expect(await restart()).toEqual({ total: 1, first: expect.stringContaining("cannot be read") });
    rmSync(index, { recursive: true });
    expect(await restart()).toEqual({ total: 1, first: undefined });
    expect((await restart("next version")).first).toContain("another version");

    const importer = open(data);
    await bring(importer.pool, "ben");
    await importer.close();
    expect(await restart("next version")).toEqual({
      total: 2,
      first:
        "search index is of revision 1, but the pool is of revision 2; building it from the pool",
    });
    expect(await restart("next version")).toEqual({ total: 2, first: undefined });
  });

  test("takes in what another process imported, without being told", async () => {
    const data = newFolder();
    const server = open(data);
    await bring(server.pool, "ada");
    await server.search.start();
    const other = openSqlitePool(join(data, "pool.db"), { now });
    await bring(other, "ben", "chloe");
    await other.close();
    while (server.search.generation?.revision !== 2) await Bun.sleep(20);
    expect(await inBerlin(server.search)).toBe(3);
    await server.close();
  });

  test("keeps answering from the old people while the new ones are built in", async () => {
    const data = newFolder();
    const { pool, search, close } = open(data);
    await bring(pool, "ada");
    await search.start();
    await bring(pool, "ben");
    const done = search.refresh();
    const seen = new Set<number>();
    let isDone = false;
    void done.then(() => {
      isDone = true;
    });
    while (!isDone) {
      seen.add(await inBerlin(search));
      await Bun.sleep(0);
    }
    seen.add(await inBerlin(search));
    expect([...seen]).toEqual([1, 2]);
    await close();
  });

  test("is closed at once, also while one is being built", async () => {
    const { pool, search, close } = open(newFolder());
    await bring(pool, ...Array.from({ length: 501 }, (_, n) => `person-${n}`));
    const starting = search.start();
    // From here on it is being built, in a thread: they are too many for the time between two calls.
    await new Promise(setImmediate);
    await close();
    await starting;
    expect(search.generation).toBeUndefined();
  });
});

describe("a stored index", () => {
  const erase = async (pool: Pool, login: string) => {
    await pool.erasing.hide(login);
    await pool.erasing.clean();
  };
  const holds = (file: string, login: string) => readFileSync(file, "utf16le").includes(login);

  test("of a folder that is discarded has nobody who was erased, and everybody else", async () => {
    const data = newFolder();
    const server = open(data);
    await bring(server.pool, "ada", "ben", "chloe");
    await server.search.start();
    expect(holds(server.index, "ben")).toBe(true);
    const command = open(data);
    await erase(command.pool, "ben");
    writeFileSync(`${command.index}.4711.tmp`, "ben, as a killed process left him");
    await command.search.discard();
    expect(readdirSync(data).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(holds(command.index, "ben")).toBe(false);
    await command.close();
    await server.search.refresh();
    expect(await inBerlin(server.search)).toBe(2);
    await server.close();
    const next = open(data);
    await next.search.start();
    expect(await inBerlin(next.search)).toBe(2);
    expect(next.lines).toEqual([]);
    await next.close();
  });

  test("that cannot be used is removed when it is discarded", async () => {
    const opened = open(newFolder());
    await bring(opened.pool, "ada");
    await opened.search.start();
    writeFileSync(opened.index, "damaged");
    await opened.search.discard();
    expect(existsSync(opened.index)).toBe(false);
    await opened.search.discard();
    await opened.close();
  });

  test("is replaced while it answers, and the old one keeps neither memory nor disk", async () => {
    const opened = open(newFolder());
    await bring(opened.pool, "ada");
    await opened.search.start();
    for (const [at, login] of ["ben", "chloe", "dan"].entries()) {
      await bring(opened.pool, login);
      await opened.search.refresh();
      expect(await inBerlin(opened.search)).toBe(at + 2);
    }
    if (existsSync("/proc/self/maps")) {
      const mapped = readFileSync("/proc/self/maps", "utf8").split("\n");
      const ours = mapped.filter((line) => line.includes(opened.index));
      expect(ours.filter((line) => line.includes("(deleted)"))).toEqual([]);
    }
    await opened.close();
  });
});

describe("an index in memory", () => {
  test("asked to refresh many times at once is up to date for each who asked", async () => {
    const world = worldOf([]);
    const waits: Promise<void>[] = [];
    for (let people = 1; people <= 5; people++) {
      world.show(fullOfPeople(people));
      const wanted = people;
      waits.push(
        world.search.refresh().then(() => {
          expect(world.search.generation?.developers).toBeGreaterThanOrEqual(wanted);
        }),
      );
    }
    await Promise.all(waits);
    expect(world.search.generation?.developers).toBe(5);
  });
});
