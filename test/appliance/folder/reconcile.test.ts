/** What control.db knows of the other files: a pool that is gone, another one or an older one, and who stays erased. */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { acceptLosses, openDataFolder } from "../../../src/appliance/appliance.ts";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { comparePool } from "../../../src/doctor/doctor.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import {
  openTestAppliance,
  silentAround,
  type TestAppliance,
  testConfig,
} from "../../appliance.ts";
import { inventedPeople } from "../../invented-people.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { makeFolder } from "../../temporary-folder.ts";

const newFolder = temporaryFolders();
const now = () => new Date("2026-11-21T12:00:00Z");
const open: TestAppliance[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function start(folder: string, people: typeof inventedPeople = []): Promise<TestAppliance> {
  const roster = await openTestAppliance({ folder, people });
  open.push(roster);
  return roster;
}

async function stop(): Promise<void> {
  for (const one of open.splice(0)) await one.close();
}

const first = join(makeFolder("reconcile"), "data");
beforeAll(async () => {
  await start(first, inventedPeople);
  await stop();
});

/** A stopped folder with the invented people in it: a copy of one that was filled. */
function fillFolder(): string {
  const folder = join(newFolder(), "data");
  cpSync(first, folder, { recursive: true });
  return folder;
}

/** As a command opens it, beside a server or not. */
function openFolder(folder: string) {
  const options = { create: false, search: false };
  return openDataFolder(testConfig({ data: folder }), silentAround(now), options);
}

function copyPool(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  // A new file: this process may not have let go of the old one yet.
  for (const end of ["", "-wal", "-shm"]) rmSync(join(to, `pool.db${end}`), { force: true });
  copyFileSync(join(from, "pool.db"), join(to, "pool.db"));
}

const readiness = async (roster: TestAppliance) => {
  const response = await roster.handle(new Request("http://localhost/readyz"));
  return { status: response.status, text: await response.text() };
};

describe("a pool that is not the one it was", () => {
  test("is refused when it is gone, and nothing is made in its place", async () => {
    const folder = fillFolder();
    for (const name of ["pool.db", "search.index"]) rmSync(join(folder, name));
    await expect(start(folder)).rejects.toThrow("pool.db is missing, but according to control.db");
    expect(existsSync(join(folder, "pool.db"))).toBe(false);
    expect(await acceptLosses(testConfig({ data: folder }), { now })).toEqual([
      `${join(folder, "pool.db")} is gone; the next start makes an empty one`,
    ]);
    expect(await (await start(folder)).modules.pool.size()).toBe(0);
  });

  test("is refused when it is another one", async () => {
    const [folder, other] = [fillFolder(), join(newFolder(), "data")];
    await start(other, inventedPeople);
    await stop();
    copyPool(other, folder);
    await expect(start(folder)).rejects.toThrow("is not the pool that control.db knows");
    expect(await acceptLosses(testConfig({ data: folder }), { now })).toHaveLength(1);
    expect(await (await start(folder)).modules.pool.size()).toBe(inventedPeople.length);
  });

  test("is reported when it is older, until somebody accepts it", async () => {
    const folder = fillFolder();
    copyPool(folder, `${folder}.older`);
    const [first, ...rest] = inventedPeople;
    const changed = { ...first, profile: { ...first?.profile, bio: "Another one." } };
    await start(folder, [changed as (typeof inventedPeople)[number], ...rest]);
    await stop();
    copyPool(`${folder}.older`, folder);
    const roster = await start(folder);
    const { status, text } = await readiness(roster);
    expect([status, text]).toEqual([503, expect.stringContaining("pool.db is an older copy")]);
    expect(roster.log()).toContain("pool.db is an older copy");
    await stop();
    // It is told once, but stands until it is accepted.
    expect((await readiness(await start(folder))).status).toBe(503);
    await stop();
    await acceptLosses(testConfig({ data: folder }), { now });
    expect((await readiness(await start(folder))).status).toBe(200);
  });

  test("left no trace of its own when its folder is new, or was never filled", async () => {
    const folder = join(newFolder(), "data");
    await start(folder);
    await stop();
    rmSync(join(folder, "pool.db"));
    expect((await readiness(await start(folder))).status).toBe(200);
  });
});

describe("somebody who was forgotten", () => {
  const login = "ada-example";

  /** Forgets one of the people, and puts the pool of before back. */
  async function forgetAndPutBack(folder: string): Promise<string> {
    copyPool(folder, `${folder}.older`);
    const roster = await openFolder(folder);
    const { ok, ...outcome } = await roster.erasure.forget(login, {});
    expect(ok).toBe(true);
    await roster.close();
    expect(filesWith(folder)).toEqual(["pool.db"]);
    copyPool(`${folder}.older`, folder);
    return "receipt" in outcome ? outcome.receipt.id : "";
  }

  /** The list of changes has the login for 30 days. */
  const filesWith = (folder: string) =>
    readdirSync(folder).filter((name) =>
      readFileSync(join(folder, name), "latin1").toLowerCase().includes(login),
    );

  test("is forgotten again before the first answer when an older pool is put back", async () => {
    const folder = fillFolder();
    await forgetAndPutBack(folder);
    const roster = await start(folder);
    expect((await roster.client.get(login)).status).toBe(404);
    const found = await roster.client.search({ location: "Worldwide", maxResults: 100 });
    expect(JSON.stringify(found.body)).not.toContain(login);
    expect(await roster.modules.pool.size()).toBe(inventedPeople.length - 1);
    expect(filesWith(folder)).toEqual(["pool.db"]);
    const load = await roster.modules.pool.beginImport("test");
    const person = inventedPeople.find((one) => one.login === login);
    if (!person) throw new Error("the invented people lack one");
    expect(await load.put([roster.judge("2026-11-01")(person)])).toHaveLength(1);
    await load.abort();
    expect(roster.log()).toContain("they were repeated");
  });

  test("is told to copies elsewhere again, and copies that knew more than the older pool start anew", async () => {
    const folder = fillFolder();
    const list = async (since?: string) => {
      const roster = await openFolder(folder);
      const asked = { since, limit: 1000, canSeeErased: true };
      const listed = await roster.modules.pool.changes.list(asked);
      await roster.close();
      return listed;
    };
    const { next: before } = await list();
    await forgetAndPutBack(folder);
    expect((await list(before)).changes).toEqual([{ login, change: "erased" }]);
    const roster = await openFolder(folder);
    const load = await roster.modules.pool.beginImport("test");
    await load.commit();
    await roster.close();
    const { next: later } = await list();
    copyPool(`${folder}.older`, folder);
    expect(await list(later)).toMatchObject({ startAnew: "restored" });
    expect((await list(before)).changes).toEqual([{ login, change: "erased" }]);
  });

  test("is forgotten again in full when a pool is put back that lacks what the erasure gained since", async () => {
    const folder = fillFolder();
    const other = inventedPeople.find((one) => one.login !== login && one.emails.length > 0);
    const before = await openFolder(folder);
    await before.erasure.forget(login, {});
    await before.close();
    copyPool(folder, `${folder}.older`);
    const roster = await openFolder(folder);
    const known = [`login:${login}`, `email:${other?.emails[0]?.address}`] as const;
    await roster.modules.pool.erasing.extend([known]);
    expect(await roster.erasure.finish()).toBeUndefined();
    await roster.close();
    copyPool(`${folder}.older`, folder);
    const pool = openSqlitePool(join(folder, "pool.db"), { now });
    const control = openSqliteControlStore(join(folder, "control.db"));
    expect(await comparePool(control, pool, undefined)).toMatchObject({ erasuresMissing: 1 });
    expect(await pool.size()).toBe(inventedPeople.length - 1);
    await control.close();
    await pool.close();
    const again = await start(folder);
    expect((await again.client.get(other?.login ?? "")).status).toBe(404);
    expect(await again.modules.pool.size()).toBe(inventedPeople.length - 2);
    expect(again.log()).toContain("they were repeated");
  });

  test("is forgotten again from a pool that is new, once it is filled", async () => {
    const folder = fillFolder();
    await forgetAndPutBack(folder);
    rmSync(join(folder, "pool.db"));
    await acceptLosses(testConfig({ data: folder }), { now });
    const roster = await start(folder, inventedPeople);
    expect((await roster.client.get(login)).status).toBe(404);
  });

  test("may come back when the erasure was undone, whatever an older pool says", async () => {
    const folder = fillFolder();
    const receipt = await forgetAndPutBack(folder);
    const before = await openFolder(folder);
    await before.close();
    copyPool(folder, `${folder}.forgotten`);
    const roster = await openFolder(folder);
    await roster.erasure.undo(receipt);
    await roster.close();
    copyPool(`${folder}.forgotten`, folder);
    const again = await start(folder, inventedPeople);
    expect((await again.client.get(login)).status).toBe(200);
  });
});
