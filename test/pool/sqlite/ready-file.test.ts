/** A pool that is filled when the program is built becomes, in each folder, a pool of its own. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  openSqlitePool,
  placeReadyPool,
  writeReadyPool,
} from "../../../src/pool/sqlite/sqlite-pool.ts";
import { listOpenFiles } from "../../../src/sqlite/folder/open-files.ts";
import { invented } from "../invented.ts";

const built = new Date("2026-11-01T00:00:00Z");
const placed = new Date("2027-02-03T04:05:06Z");

describe("a ready pool", () => {
  let folder: string;
  let content: Uint8Array;

  /** Makes it as a build does. */
  async function make(name: string): Promise<Uint8Array> {
    const [path, copy] = [join(folder, `${name}.db`), join(folder, `${name}-copy.db`)];
    const pool = openSqlitePool(path, { now: () => built });
    const load = await pool.beginImport("demo");
    await load.put([invented({ login: "ada", source: "demo" })]);
    await load.put([invented({ login: "bob", source: "demo" })]);
    await load.commit();
    await pool.close();
    writeReadyPool(path, copy);
    return readFileSync(copy);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "roster-ready-"));
    content = await make("first");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const place = (name: string): string => {
    const own = mkdtempSync(join(folder, `${name}-`));
    placeReadyPool(join(own, "pool.db"), content, placed);
    expect(readdirSync(own)).toEqual(["pool.db"]);
    // Else whoever opens the pool would use the draft's index of the log, which nobody else has.
    const names = [...(listOpenFiles("self")?.values() ?? [])];
    expect(names.filter((path) => path.startsWith(own))).toEqual([]);
    return join(own, "pool.db");
  };

  test("is the same, byte for byte, whenever it is made of the same people", async () => {
    expect(Buffer.compare(await make("second"), content)).toBe(0);
  });

  test("is imported when it is put into place, and holds its people", async () => {
    const pool = openSqlitePool(place("now"), { now: () => placed });
    expect(await pool.logins()).toEqual(["ada", "bob"]);
    expect([await pool.size(), await pool.revision()]).toEqual([2, 1]);
    expect(await pool.sources()).toEqual([
      { source: "demo", developers: 2, lastImportAt: placed.toISOString() },
    ]);
    const stored = await pool.findStoredDeveloper("ada");
    expect(JSON.stringify(stored)).toContain(placed.toISOString());
    expect(JSON.stringify(stored)).not.toContain(built.toISOString());
    await pool.close();
  });

  test("has a name of its own in each folder, and gives way to a real import", async () => {
    const pools = ["one", "two"].map((name) => openSqlitePool(place(name), { now: () => placed }));
    const names = await Promise.all(pools.map(async (pool) => (await pool.state()).name));
    expect(new Set([...names, ""]).size).toBe(3);
    const load = await pools[0]?.beginImport("git");
    await load?.put([invented({ login: "carol", source: "git" })]);
    await load?.removeSource("demo");
    expect(await load?.commit()).toMatchObject({ added: 1, removed: 2, revision: 2 });
    for (const pool of pools) await pool.close();
  });

  test("never takes the place of another pool, and leaves nothing when it cannot be used", () => {
    const path = join(mkdtempSync(join(folder, "taken-")), "pool.db");
    writeFileSync(path, "somebody's");
    placeReadyPool(path, content, placed);
    expect(readFileSync(path, "utf8")).toBe("somebody's");
    const own = mkdtempSync(join(folder, "broken-"));
    const broken = () => placeReadyPool(join(own, "pool.db"), content.slice(0, 5000), placed);
    expect(broken).toThrow(/damaged/);
    expect(readdirSync(own)).toEqual([]);
  });
});
