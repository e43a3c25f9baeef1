/** Each concern is told once when it has lasted for two looks, and once when two looks do not find it any more. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder } from "../../src/appliance/appliance.ts";
import { createNoticeLook } from "../../src/appliance/notices.ts";
import type { Receiver } from "../../src/config/config.ts";
import { noticeKinds } from "../../src/contract/operator-notice.ts";
import type { SourceStatus } from "../../src/interfaces/web/web.ts";
import { silentAround, testConfig } from "../appliance.ts";
import { endedRun } from "../control/sources-contract.ts";

const scratch = mkdtempSync(join(tmpdir(), "roster-notices-"));
let at = new Date("2026-11-30T10:00:00Z");
const config = testConfig({ data: join(scratch, "data") });
const options = { create: true, search: false };
const dependencies = silentAround(() => at);
const folder = await openDataFolder(config, dependencies, options);
const { deliveries } = folder.control;
await folder.control.folder.noteBackup({
  ...{ at, actor: "operator", action: "backup.made", subject: "", detail: {} },
});
afterAll(async () => {
  await folder.close();
  rmSync(scratch, { recursive: true, force: true });
});

const kinds = Object.keys(noticeKinds) as Receiver["events"];
let notify: readonly Receiver[] = [{ id: "ops", events: kinds, command: ["true"] }];
let faults: readonly string[] = [];
let sources: readonly SourceStatus[] = [];
const administration = { runs: { listEnded: folder.control.runs.list } };
const start = () =>
  createNoticeLook({
    ...{ ...dependencies, now: () => at, folder, config },
    live: () => ({ ...config, notify }),
    readiness: {
      faults: async () => faults,
      healthNotes: async () => ({ backup: { at: "", ageSeconds: 60 } }),
    },
    sources: { list: async () => sources },
    administration,
    backups: undefined,
  });
const heard = async (id = "nt_ops") => {
  const late = new Date(at.getTime() + 1e6);
  const claimed = await deliveries.claim(id, late, new Date(at.getTime() + 1e9), 99);
  await deliveries.noteOutcomes(
    id,
    claimed.map((one) => ({ id: one.id, attempts: 1, dueMs: null })),
  );
  return claimed.map(({ body }) => {
    const { type, data } = JSON.parse(body);
    return [type, data.state, ...data.notices.map((one: { text: string }) => one.text)];
  });
};

const source = (id: string) => ({ id, fault: "the token is refused" }) as SourceStatus;
const text = (id: string) => `the source ${id} was not read: the token is refused`;

test("what lasts is told once, all of a kind as one, also after a restart", async () => {
  let look = start();
  sources = [source("corp"), source("open")];
  await look();
  expect(await heard()).toEqual([]);
  await look();
  await look();
  expect(await heard()).toEqual([["notice.source", "begun", text("corp"), text("open")]]);
  look = start();
  await look();
  await look();
  expect(await heard()).toEqual([]);
  sources = [source("corp")];
  await look();
  expect(await heard()).toEqual([]);
  await look();
  expect(await heard()).toEqual([["notice.source", "over", text("open")]]);
});

test("what one look alone finds or misses is not told", async () => {
  const look = start();
  await look();
  sources = [source("corp"), source("new")];
  await look();
  sources = [];
  await look();
  sources = [source("corp")];
  await look();
  await look();
  expect(await heard()).toEqual([]);
});

test("with damage, nothing else is over, because it is not known", async () => {
  const look = start();
  await look();
  [faults, sources] = [["forges.db is damaged: 3 pages"], []];
  for (const _ of "123") await look();
  expect(await heard()).toEqual([["notice.damage", "begun", "forges.db is damaged: 3 pages"]]);
  faults = ["forges.db is damaged: 4 pages"];
  for (const _ of "123") await look();
  expect(await heard()).toEqual([]);
  faults = [];
  for (const _ of "123") await look();
  expect((await heard()).sort()).toEqual([
    ["notice.damage", "over", "forges.db is damaged: 3 pages"],
    ["notice.source", "over", text("corp")],
  ]);
});

test("no text has the outcome of a run, which may name people", async () => {
  const look = start();
  const outcome = "0 people added. 1 left out: line 3: ada is known twice.";
  const run = { kind: "people", title: "Read the list of people hr", source: null, endedAt: at };
  await folder.control.runs.add(endedRun("run_1", { ...run, outcome }));
  await look();
  await look();
  const words = "the last run left something out: Read the list of people hr";
  expect(await heard()).toEqual([["notice.run", "begun", words]]);
  at = new Date(at.getTime() + 1000);
  await folder.control.runs.add(endedRun("run_2", { ...run, endedAt: at, outcome: "1 added." }));
  await look();
  await look();
  expect(await heard()).toEqual([["notice.run", "over", words]]);
});

test("a receiver that takes nothing is told to the others only, and one that is gone takes along what waits for it", async () => {
  notify = [...notify, { id: "other", events: kinds, to: "https://hooks.example.com/secret" }];
  const look = start();
  await look();
  await deliveries.addEvents([{ type: "notice.disk", at, data: { notices: [] } }], "nt_ops");
  const [{ id: dead = "" } = {}] = await deliveries.claim("nt_ops", at, at, 1);
  await deliveries.noteOutcomes("nt_ops", [{ id: dead, attempts: 10, dueMs: null, fault: "away" }]);
  await look();
  await look();
  expect([await heard(), await heard("nt_other")]).toEqual([
    [],
    [["notice.delivery", "begun", "1 delivery to [[notify]] ops failed for good"]],
  ]);
  const [, other] = await deliveries.listTargets();
  expect(JSON.stringify(other)).not.toContain("example.com");
  notify = notify.slice(1);
  await look();
  expect((await deliveries.listTargets()).map(({ id }) => id)).toEqual(["nt_other"]);
  expect(await deliveries.claim("nt_ops", new Date(at.getTime() + 1e9), at, 99)).toEqual([]);
});

test("a look takes little time, with 2,000 repositories that are told as one event", async () => {
  const repositories = Array.from({ length: 2000 }, (_, n) => ({
    name: `acme/r${n}`,
    lastDay: 18_000,
  }));
  const pool = { ...folder.modules.pool, revision: async () => 7 };
  Object.assign(pool, { authorship: { repositories: async () => repositories } });
  const look = createNoticeLook({
    ...{ ...dependencies, now: () => at, config, backups: undefined, administration },
    folder: { ...folder, modules: { ...folder.modules, pool } },
    live: () => ({ ...config, notify }),
    readiness: {
      faults: async () => [],
      healthNotes: async () => ({ backup: { at: "", ageSeconds: 60 } }),
    },
    sources: { list: async () => [] },
  });
  await look();
  await look();
  const told = await heard("nt_other");
  expect(told.filter(([type]) => type === "notice.repository").map((one) => one.length)).toEqual([
    2002,
  ]);
  const began = process.cpuUsage();
  for (let n = 0; n < 20; n++) await look();
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000 / 20).toBeLessThan(60);
});

test("on nodes, each tells of its own disk and sources, and one of them of what all see", async () => {
  notify = [{ id: "both", events: kinds, command: ["true"] }];
  const url = "postgres://roster@db.example.com/roster";
  const startNode = (node: string, poor: boolean) =>
    createNoticeLook({
      ...{ ...dependencies, now: () => at, folder, administration, backups: undefined },
      config: { ...config, data: join(scratch, node), database: { ...config.database, url } },
      live: () => ({ ...config, notify }),
      readiness: {
        faults: async () => (poor ? ["the disk is full"] : []),
        healthNotes: async () => ({ warnings: ["the backup is late"] }),
      },
      sources: { list: async () => [] },
    });
  const [one, other] = [startNode("one", true), startNode("other", false)];
  for (const _ of "1234") {
    await one();
    await other();
  }
  const told = (await heard("nt_both")).map(([type, state, words]) => [type, state, words]).sort();
  expect(told).toEqual([
    ["notice.backup", "begun", "the backup is late"],
    ["notice.disk", "begun", expect.stringMatching(/^the disk is full \(on .*one\)$/)],
  ]);
});
