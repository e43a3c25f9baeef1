/** A server's own backups: made when due, counted, kept, ended with it, and complained of when they fail. */
import { expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import pino from "pino";
import { backUp, createServerBackups, openArchive } from "../../src/backup/backup.ts";
import { openTestAppliance, ownBackup, type TestAppliance } from "../appliance.ts";
import { isLong } from "../long.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { filledFolders, fillFolder, now, openFolder, testVersion } from "./folder.ts";

const newFolder = temporaryFolders();
const copyFilled = filledFolders();
const everyMs = 1000;
const openPlace = () => {
  throw new Error("there are no copies");
};
const backingUp = (
  folder: string | undefined,
  terms: { everyMs?: number; keep?: number } = {},
) => ({ backup: { ...ownBackup, everyMs, folder, ...terms } });

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await Bun.sleep(10);
}

const linesOf = (appliance: TestAppliance, text: string) =>
  appliance
    .log()
    .split("\n")
    .filter((line) => line.includes(`"${text}"`));

async function readHealth(appliance: TestAppliance) {
  const response = await appliance.handle(new Request("http://localhost/readyz"));
  const body = (await response.json()) as {
    backup: { at: string; ageSeconds: number } | null;
    warnings?: readonly string[];
  };
  return { status: response.status, ...body };
}

test("are made when due, noted, audited without a path, and only the newest of its own are kept", async () => {
  const [data, folder] = [join(newFolder(), "data"), newFolder()];
  const other = await fillFolder(newFolder());
  const foreign = "roster-2020-01-01T000000Z.tar.zst";
  await backUp({ data: other.data, target: join(folder, foreign), version: testVersion, now });
  writeFileSync(join(folder, "roster-2020-01-02T000000Z.tar.zst"), "no archive");
  writeFileSync(join(folder, "notes"), "mine");
  const kept = readdirSync(folder);

  const appliance = await openTestAppliance({
    folder: data,
    config: backingUp(folder, { keep: 2 }),
  });
  const own = () =>
    readdirSync(folder).filter((name) => !kept.includes(name) && name.endsWith("Z.tar.zst"));
  const made: string[] = [];
  for (let turn = 1; turn <= (isLong ? 4 : 3); turn++) {
    await until(() => linesOf(appliance, "backup made").length === turn);
    made.push(own().sort().at(-1) as string);
    expect(own().length).toBe(Math.min(turn, 2));
    appliance.clock.advance(3600);
  }
  await appliance.close();
  expect(own().sort()).toEqual(made.slice(-2));
  expect(new Set(made).size).toBe(made.length);
  expect(
    readdirSync(folder)
      .filter((name) => !own().includes(name))
      .sort(),
  ).toEqual(kept.sort());
  expect((await openArchive(join(folder, made.at(-1) as string))).counts.people).toBeGreaterThan(0);

  const again = await openTestAppliance({
    folder: data,
    people: [],
    now: appliance.clock.now().toISOString(),
  });
  expect(await readHealth(again)).toMatchObject({ status: 200, backup: { ageSeconds: 3600 } });
  await again.close();
  const { Database } = await import("bun:sqlite");
  const sqlite = new Database(join(data, "control.db"), { readonly: true });
  const entries = sqlite.query("SELECT * FROM audit WHERE action = 'backup.made'").all();
  sqlite.close();
  expect(entries.length).toBe(made.length);
  expect(JSON.stringify(entries)).not.toContain(folder);
}, 300_000);

test("are kept in the order of their making, also when the clock was ahead, and health says that one is early", async () => {
  const [data, folder] = [join(newFolder(), "data"), newFolder()];
  const config = backingUp(folder, { everyMs: 3_600_000, keep: 2 });
  const made: string[] = [];
  // A year ahead for two turns, then right again.
  const days = [366, 367, 0, 1];
  for (const [turn, day] of days.entries()) {
    const instant = new Date(now().getTime() + day * 86_400_000).toISOString();
    const people = turn === 0 ? {} : { people: [] };
    const server = await openTestAppliance({ folder: data, ...people, config, now: instant });
    if (turn === 2) {
      const { backup, warnings } = await readHealth(server);
      expect(backup?.ageSeconds).toBeLessThan(0);
      expect(warnings?.join()).toContain("which is in the future");
    }
    await until(() => linesOf(server, "backup made").length === 1);
    const { file } = JSON.parse(linesOf(server, "backup made")[0] ?? "") as { file: string };
    made.push(basename(file));
    expect(readdirSync(folder).sort()).toEqual(made.slice(-2).sort());
    expect((await readHealth(server)).backup?.ageSeconds).toBe(0);
    await server.close();
  }
}, 300_000);

test("on request neither push out nor delay those of the schedule, and are bounded themselves", async () => {
  const [parent, folder] = [newFolder(), newFolder()];
  const { data } = await copyFilled(parent);
  const upgrade = "before-upgrade-2026-01-01T00-00-00-000Z.tar.zst";
  await backUp({ data, target: join(folder, upgrade), version: testVersion, now });
  const open = await openFolder(data);
  let at = now().getTime();
  const backups = createServerBackups({
    terms: () => ({ ...ownBackup, everyMs, folder, keep: 2 }),
    ...{ data, version: testVersion, now: () => new Date(at) },
    ...{ records: open.control.folder, log: pino({ level: "silent" }), isFolderSound: () => true },
    openPlace,
  });
  const [scheduled, asked] = [new Set<string>(), new Set<string>()];
  const look = async () => {
    for (const { name } of await backups.list()) {
      if (name === upgrade) continue;
      (name.endsWith("-manual.tar.zst") ? asked : scheduled).add(name);
    }
  };
  const untilScheduled = (count: number) =>
    until(async () => {
      await look();
      return scheduled.size === count && backups.underWay() === undefined;
    });
  backups.startSchedule();
  await untilScheduled(1);
  for (let turn = 1; turn <= 3; turn++) {
    at += everyMs;
    await backups.make("acct_boss");
    await look();
    expect(asked.size).toBe(turn);
    await untilScheduled(turn + 1);
  }
  await backups.close();
  await open.close();
  expect(readdirSync(folder).sort()).toEqual(
    [upgrade, ...[...scheduled].sort().slice(-2), ...[...asked].sort().slice(-2)].sort(),
  );
}, 300_000);

test("two of three of the schedule and two of four on request stay, where two are kept", async () => {
  const [parent, folder] = [newFolder(), newFolder()];
  const { data } = await copyFilled(parent);
  const open = await openFolder(data);
  let at = Date.parse("2026-11-22T10:00:00Z");
  const terms = () => ({ ...ownBackup, everyMs: undefined, folder, keep: 2 });
  const backups = createServerBackups({
    ...{ terms, data, version: testVersion, now: () => new Date(at) },
    ...{ records: open.control.folder, log: pino({ level: "silent" }), isFolderSound: () => true },
    openPlace,
  });
  const counts: number[] = [];
  for (const by of ["server", "boss", "server", "boss", "boss", "server", "boss"]) {
    await backups.make(by);
    counts.push((await backups.list()).length);
    at += 60_000;
  }
  await backups.close();
  await open.close();
  expect(counts).toEqual([1, 2, 3, 4, 4, 4, 4]);
  expect(readdirSync(folder).sort()).toEqual([
    "roster-2026-11-22T100200Z.tar.zst",
    "roster-2026-11-22T100400Z-manual.tar.zst",
    "roster-2026-11-22T100500Z.tar.zst",
    "roster-2026-11-22T100600Z-manual.tar.zst",
  ]);
}, 300_000);

test("also the newest of days and weeks stay, and the rest goes with the next backup", async () => {
  const [parent, folder] = [newFolder(), newFolder()];
  const { data } = await copyFilled(parent);
  const open = await openFolder(data);
  let at = Date.parse("2026-11-22T23:00:00Z");
  const terms = () => ({
    ...{ ...ownBackup, keep: 1, keepDaily: 2, keepWeekly: 2, everyMs: undefined, folder },
  });
  const backups = createServerBackups({
    ...{ terms, data, version: testVersion, now: () => new Date(at) },
    ...{ records: open.control.folder, log: pino({ level: "silent" }), isFolderSound: () => true },
    openPlace,
  });
  for (const hours of [0, 12, 12, 12, 12]) {
    at += hours * 3_600_000;
    await backups.make("server");
  }
  await backups.close();
  await open.close();
  // A Sunday; the two of the Monday and Tuesday; the last.
  expect(readdirSync(folder).sort()).toEqual([
    "roster-2026-11-22T230000Z.tar.zst",
    "roster-2026-11-23T230000Z.tar.zst",
    "roster-2026-11-24T230000Z.tar.zst",
  ]);
}, 300_000);

test("are made soon after a start when the last is older than the interval", async () => {
  const folder = newFolder();
  const data = join(newFolder(), "data");
  const config = backingUp(folder, { everyMs: 86_400_000 });
  const first = await openTestAppliance({ folder: data, config });
  await until(() => linesOf(first, "backup made").length === 1);
  await first.close();
  const at = first.clock.now().getTime();
  for (const [hours, count] of [
    [25, 2],
    [49, 3],
  ] as const) {
    const instant = new Date(at + hours * 3_600_000).toISOString();
    const later = await openTestAppliance({ folder: data, people: [], config, now: instant });
    await until(() => linesOf(later, "backup made").length === 1);
    await later.close();
    expect(readdirSync(folder).length).toBe(count);
  }
}, 300_000);

test("that fail are logged and tried again; after twice the interval health warns and stays green", async () => {
  const folder = join(newFolder(), "not-mounted");
  const appliance = await openTestAppliance({ folder: true, config: backingUp(folder) });
  const failure = "no backup was made; it is tried again";
  await until(() => linesOf(appliance, failure).length === 1);
  expect(linesOf(appliance, failure)[0]).toContain(`${folder} does not exist.`);
  const {
    version: _,
    startedAt: __,
    ...notes
  } = (await readHealth(appliance)) as never as Record<string, unknown>;
  expect(notes).toMatchObject({ status: 200, ready: true, backup: null });
  expect(notes["warnings"]).toBeUndefined();
  appliance.clock.advance(3);
  await until(() => linesOf(appliance, failure).length === 2);
  const { status, backup, warnings } = await readHealth(appliance);
  expect({ status, backup }).toEqual({ status: 200, backup: null });
  expect(warnings).toHaveLength(1);
  expect(warnings?.[0]).toContain("fail");
  mkdirSync(folder);
  appliance.clock.advance(3);
  await until(() => linesOf(appliance, "backup made").length === 1);
  expect(await readHealth(appliance)).toMatchObject({ status: 200, backup: { ageSeconds: 0 } });
  expect((await readHealth(appliance)).warnings).toBeUndefined();
  await appliance.close();
}, 300_000);

test("go into the data folder when no other is named, readable by its owner only", async () => {
  const data = join(newFolder(), "data");
  const appliance = await openTestAppliance({ folder: data, config: backingUp(undefined) });
  await until(() => linesOf(appliance, "backup made").length === 1);
  await appliance.close();
  expect(readdirSync(join(data, "backups"))).toEqual(["roster-2026-11-21T120000Z.tar.zst"]);
}, 300_000);

test("end with the server, and leave nothing", async () => {
  const folder = newFolder();
  const appliance = await openTestAppliance({ folder: true, config: backingUp(folder) });
  await until(() => readdirSync(folder).length > 0);
  await appliance.close();
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
}, 300_000);

test("of a damaged folder do not push out the good ones", async () => {
  const [parent, folder] = [newFolder(), newFolder()];
  const { data } = await copyFilled(parent);
  const good = join(folder, "roster-2020-01-01T000000Z.tar.zst");
  await backUp({ data, target: good, version: testVersion, now: () => new Date("2020-01-01") });
  copyFileSync(good, join(folder, "roster-2020-01-02T000000Z.tar.zst"));
  const lines: string[] = [];
  const backups = createServerBackups({
    ...{
      terms: () => ({ ...ownBackup, everyMs, folder, keep: 1 }),
      data,
      version: testVersion,
      now,
    },
    records: { noteBackup: async () => {} },
    log: pino({}, { write: (line: string) => lines.push(line) }),
    isFolderSound: () => false,
    openPlace,
  });
  backups.startSchedule();
  await until(() => lines.length > 0);
  await backups.close();
  expect(lines[0]).toContain("backup made");
  expect(existsSync(good)).toBe(true);
  expect(readdirSync(folder).length).toBe(3);
}, 300_000);
