/** What is too old goes: by the command, which can be asked before, and by a running server. */
import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { startUpkeep } from "../../src/appliance/upkeep.ts";
import { removeGently } from "../../src/backup/backup.ts";
import type { Config } from "../../src/config/config.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { testConfig } from "../appliance.ts";
import { endedRun } from "../control/sources-contract.ts";
import { openCommandLine } from "../interfaces/cli/command-line.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});
const newFolder = temporaryFolders();

const at = Date.parse("2026-11-21T12:00:00Z");
const daysAgo = (days: number) => new Date(at - days * 86_400_000);
const archive = (day: string) => `before-upgrade-2026-${day}T00-00-00-000Z.tar.zst`;
const restored = (day: string) => `before-restore-2026${day}T000000Z`;

/** A folder with runs, files that restores and upgrades have left, and a backup of each other kind. */
async function openOldFolder() {
  const line = openCommandLine(() => new Date(at));
  open.push(line);
  const data = ["--data", line.folder];
  await line.run("account", "create", "team@example.com", "--plan", "pro", ...data);
  const control = openSqliteControlStore(join(line.folder, "control.db"));
  for (const days of [900, 401, 400, 1])
    await control.runs.add(endedRun(`run_${days}`, { endedAt: daysAgo(days) }));
  await control.close();
  const leave = (path: string, days: number) =>
    utimesSync(join(line.folder, path), daysAgo(days), daysAgo(days));
  mkdirSync(join(line.folder, "backups"));
  const archives = [archive("01-01"), archive("01-02"), archive("10-22"), archive("10-23")];
  const others = ["roster-2026-01-01T000000Z.tar.zst", "roster-2026-01-01T000001Z-manual.tar.zst"];
  for (const name of [...archives, ...others]) {
    writeFileSync(join(line.folder, "backups", name), "archive");
    leave(join("backups", name), name.includes("-10-") ? 30 : 323);
  }
  for (const [day, days] of [
    ["0101", 324],
    ["0201", 293],
    ["0301", 265],
  ] as const) {
    mkdirSync(join(line.folder, restored(day)));
    for (const name of ["control.db", "pool.db"])
      writeFileSync(join(line.folder, restored(day), name), "database");
    leave(restored(day), days);
  }
  const list = () => {
    const backups = readdirSync(join(line.folder, "backups"));
    const before = readdirSync(line.folder).filter((name) => name.startsWith("before-"));
    return [...before, ...backups].sort();
  };
  const listRuns = async () => {
    const store = openSqliteControlStore(join(line.folder, "control.db"));
    const runs = await store.runs.list();
    await store.close();
    return runs.map(({ id }) => id);
  };
  return { ...line, data, list, listRuns, others, archives };
}

const gone = [
  { what: "ended runs", count: 2, bytes: 0 },
  { what: restored("0101"), count: 2, bytes: 16 },
  { what: restored("0201"), count: 2, bytes: 16 },
  { what: archive("01-01"), count: 1, bytes: 7 },
  { what: archive("01-02"), count: 1, bytes: 7 },
];

test("a dry run says what will go and removes nothing, and then exactly that goes", async () => {
  const { run, json, data, list, listRuns, archives, others } = await openOldFolder();
  const before = list();
  expect(await json("cleanup", "--dry-run", ...data)).toEqual(gone);
  expect((await run("cleanup", "--dry-run", ...data)).out).toContain("would go");
  expect([list(), await listRuns()]).toEqual([before, ["run_1", "run_400", "run_401", "run_900"]]);
  expect(await json("cleanup", ...data)).toEqual(gone);
  expect(await listRuns()).toEqual(["run_1", "run_400"]);
  // The newest of each kind stays, and so do other backups, however old they are.
  expect(list()).toEqual([restored("0301"), ...archives.slice(2), ...others].sort());
  expect(await run("cleanup", ...data)).toEqual({ code: 0, out: "", err: "Nothing is too old.\n" });
}, 60_000);

test("a setting of 0 keeps everything, and another one keeps less", async () => {
  const { run, json, data, list, folder } = await openOldFolder();
  const before = list();
  const set = (runs: number, leftovers: number) =>
    writeFileSync(
      join(folder, "roster.toml"),
      `[keep]\nrunsDays = ${runs}\nleftoversDays = ${leftovers}\n`,
    );
  set(0, 0);
  expect((await run("cleanup", ...data)).err).toBe("Nothing is too old.\n");
  expect(list()).toEqual(before);
  set(399, 29);
  expect(await json("cleanup", "--dry-run", ...data)).toEqual([
    { ...gone[0], count: 3 },
    ...gone.slice(1),
    { what: archive("10-22"), count: 1, bytes: 7 },
  ]);
  const flags = ["--keep-runs-days", "0", "--keep-leftovers-days", "300"];
  expect(await json("cleanup", "--dry-run", ...flags, ...data)).toEqual([
    gone[1],
    ...gone.slice(3),
  ]);
}, 60_000);

/** Runs the part of a server that removes what is too old, until something is true. */
async function keepUp(
  folder: string,
  faults: { list(): readonly string[] },
  isOver: (lines: readonly object[]) => boolean,
) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const now = () => new Date(at);
  const pool = openSqlitePool(join(folder, "pool.db"), { now });
  const control = openSqliteControlStore(join(folder, "control.db"));
  const backups = { isTaken: (name: string) => name === archive("01-02") };
  const parts = { modules: { pool }, control, faults, backups };
  const config: Config = testConfig({ data: folder });
  const end = startUpkeep(config, parts, { now, log, live: () => config });
  while (!isOver(lines)) await Bun.sleep(20);
  end();
  await control.close();
  await pool.close();
  return lines;
}

test("a running server removes the same, but no archive that somebody is downloading", async () => {
  const { folder, list, listRuns, archives, others } = await openOldFolder();
  const lines = await keepUp(folder, { list: () => [] }, ({ length }) => length >= 4);
  expect(lines.map(({ what, count, bytes }) => ({ what, count, bytes }) as unknown)).toEqual(
    gone.slice(0, -1),
  );
  expect(await listRuns()).toEqual(["run_1", "run_400"]);
  expect(list()).toEqual([restored("0301"), ...archives.slice(1), ...others].sort());
}, 60_000);

test("a server that knows of damage removes nothing", async () => {
  const { folder, list } = await openOldFolder();
  const before = list();
  let looks = 0;
  const faults = { list: () => [`damage ${++looks}`] };
  expect(await keepUp(folder, faults, () => looks > 0)).toEqual([]);
  expect(list()).toEqual(before);
}, 60_000);

test("a large archive that is being removed is whole or gone", async () => {
  const path = join(newFolder(), "large.tar.zst");
  const size = 80 * 2 ** 20;
  writeFileSync(path, new Uint8Array(size));
  const removal = removeGently(path);
  let isOver = false;
  void removal.then(() => {
    isOver = true;
  });
  const sizes = new Set<number>();
  while (!isOver) {
    sizes.add(statSync(path, { throwIfNoEntry: false })?.size ?? size);
    await Bun.sleep(1);
  }
  await removal;
  expect([[...sizes], existsSync(path)]).toEqual([[size], false]);
});
