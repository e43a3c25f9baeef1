/** What an administrator is told to do: each cause once, the worst first, with the page where it is done. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder } from "../../../src/appliance/appliance.ts";
import {
  type ConcernParts,
  listConcerns,
  listNotices,
} from "../../../src/appliance/monitoring/concerns.ts";
import type { IdentityPair, RunStatus, SourceStatus } from "../../../src/interfaces/web/web.ts";
import type { ServerState } from "../../../src/metrics/metrics.ts";
import { silentAround, testConfig } from "../../appliance.ts";
import { endedRun } from "../../control/sources-contract.ts";

const scratch = mkdtempSync(join(tmpdir(), "roster-concerns-"));
const config = testConfig({ data: join(scratch, "data") });
const now = new Date("2026-11-27T10:00:00Z");
const options = { create: true, search: false };
const folder = await openDataFolder(
  config,
  silentAround(() => now),
  options,
);
afterAll(async () => {
  await folder.close();
  rmSync(scratch, { recursive: true, force: true });
});

const state: ServerState = {
  ...{ isReady: true, faults: 0, poolPeople: 3, poolRevision: 2, sources: [], files: [] },
  index: { people: 3, revision: 2, ageSeconds: 1, buildSeconds: 1 },
  disk: { freeBytes: 50, bytes: 100 },
  repositories: [],
  backupAgeSeconds: 60,
};
const quiet: ConcernParts = {
  ...{ folder, config, state, revision: 2, stale: [], listSources: async () => [], runs: [], now },
  endedRuns: [],
  readiness: { faults: async () => [], healthNotes: async () => ({ backup: null }) },
  suggestions: { state: "none" },
  backupFault: undefined,
  pending: { recount: undefined, rescore: undefined },
};
const list = async (change: Partial<ConcernParts> = {}) =>
  (await listConcerns({ ...quiet, ...change })).map(({ weight, text, link }) => [
    weight,
    text,
    link?.to,
  ]);
const noteBackup = (at: Date) =>
  folder.control.folder.noteBackup({
    ...{ at, actor: "operator", action: "backup.made", subject: "", detail: {} },
  });

test("no backup, an old one, a recent one; with a schedule, the first one comes by itself", async () => {
  const never = { state: { ...state, backupAgeSeconds: null } };
  expect(await list(never)).toEqual([["warning", "backup: none was ever made", "#backups"]]);
  const scheduled = { ...config, backup: { ...config.backup, everyMs: 1000 } };
  expect(await list({ ...never, config: scheduled })).toEqual([
    ["warning", "no backup was made yet; the schedule makes the first one", "#backups"],
  ]);
  await noteBackup(new Date("2026-11-10T10:00:00Z"));
  expect(await list()).toEqual([["warning", "backup: the last one is 17 days old", "#backups"]]);
  await noteBackup(new Date("2026-11-27T09:00:00Z"));
  expect(await list()).toEqual([]);
  expect(await list({ backupFault: "the disk is gone" })).toEqual([
    ["warning", "no backup was made: the disk is gone", "#backups"],
  ]);
  // Readiness warns of backups; the warning stands here once.
  const warned = { backup: null, warnings: ["backups are due every 1 s and fail"] };
  const readiness = { faults: async () => ["pool.db is gone"], healthNotes: async () => warned };
  expect(await list({ readiness, backupFault: "the disk is gone" })).toEqual([
    ["fault", "pool.db is gone", undefined],
    ["warning", "backups are due every 1 s and fail", "#backups"],
  ]);
});

test("of a database nothing is known until a command recorded a backup", async () => {
  expect(await list({ state: { ...state, backupAgeSeconds: undefined } })).toEqual([]);
});

test("the disk, the index and the network", async () => {
  const poor = { ...state, disk: { freeBytes: 9, bytes: 100 } };
  expect(await list({ state: poor, revision: 3 })).toMatchObject([
    ["warning", expect.stringContaining("has 9 % free"), undefined],
    ["warning", expect.stringContaining("index is being built"), undefined],
  ]);
  const open = { ...config, host: "0.0.0.0" };
  expect(await list({ config: open })).toMatchObject([
    ["warning", expect.stringContaining("plain HTTP"), "/admin/settings"],
  ]);
  expect(await list({ config: { ...open, publicUrl: "https://roster.example" } })).toEqual([]);
});

test.skipIf(Bun.which("openssl") === null)("a certificate that ends soon", async () => {
  for (const [days, count] of [
    [10, 1],
    [100, 0],
  ] as const) {
    const certFile = join(scratch, `${days}.pem`);
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const about = ["-days", String(days), "-subj", "/CN=roster.example"];
    const files = ["-keyout", join(scratch, "key.pem"), "-out", certFile];
    Bun.spawnSync(["openssl", "req", "-x509", ...key, ...files, ...about]);
    const tls = { certFile, keyFile: undefined };
    const found = await list({ config: { ...config, tls }, now: new Date() });
    expect(found.filter(([, text]) => text?.includes("certificate"))).toHaveLength(count);
  }
});

test("a source that fails, and the last run if it failed", async () => {
  const source = { id: "corp", fault: "the token is refused" } as SourceStatus;
  const run = { title: "Update all scores", outcome: "It broke." };
  const ended = endedRun("run_1", { ...run, state: "failed", source: null });
  expect(await list({ listSources: async () => [source], endedRuns: [ended] })).toEqual([
    ["warning", "the source corp was not read: the token is refused", "/admin/sources"],
    ["warning", "the last run failed: Update all scores. It broke.", "/admin/runs"],
  ]);
  // A source tells by itself that it could not be read.
  const ofSource = endedRun("run_2", { state: "failed" });
  expect(await list({ endedRuns: [ofSource, ended] })).toHaveLength(1);
  const later = endedRun("run_3", { source: null });
  expect(await list({ endedRuns: [ofSource, later, ended] })).toEqual([]);
});

test("repositories that the last run could not read, and why", async () => {
  const leftOut = {
    state: "gone" as const,
    reason: "no repository is there any more.",
    remedy: "",
    since: "2026-11-20T08:00:00Z",
  };
  const repositories = [
    { path: "/srv/a.git", leftOut: undefined },
    { path: "/srv/b.git", leftOut },
    {
      path: "/srv/c.git",
      leftOut: { ...leftOut, state: "left_out" as const, reason: "not readable by this user." },
    },
  ];
  expect(await list({ state: { ...state, repositories } })).toEqual([
    [
      "warning",
      "2 of 3 repositories could not be read: /srv/b.git (gone since 2026-11-20: no repository is there any " +
        "more), /srv/c.git (left out since 2026-11-20: not readable by this user)",
      "/admin/runs#histories",
    ],
  ]);
});

test("a source that is late, and a run that left something out until the next one of its kind leaves nothing", async () => {
  const source = { id: "corp", isKnown: true, everyHours: 24 } as SourceStatus;
  const at = (completedAt: string) => ({ listSources: async () => [{ ...source, completedAt }] });
  expect(await list(at("2026-11-24T10:00:00Z"))).toEqual([]);
  const [late] = await list(at("2026-11-24T09:59:00Z"));
  const words = "the source corp was last read whole on 2026-11-24, and is due every 24 hours";
  expect(late).toEqual(["warning", words, "/admin/sources"]);
  const outcome = "1 person added, 0 replaced, 0 removed. 1 left out: /srv/a.git: not readable.";
  const some = endedRun("run_1", { kind: "ingest", outcome, source: null });
  const other = endedRun("run_2", { kind: "rescore", source: null });
  const next = endedRun("run_3", { kind: "ingest", source: null });
  const text = `the last run left something out: ${some.title}. ${outcome}`;
  expect(await list({ endedRuns: [other, some] })).toEqual([["warning", text, "/admin/runs"]]);
  expect(await list({ endedRuns: [next, other, some] })).toEqual([]);
});

test("notices name each cause by what does not change, and each repository on its own", async () => {
  const told = async (change: Partial<ConcernParts>) =>
    (await listNotices({ ...quiet, ...change })).map(({ kind, subject }) => [kind, subject]);
  const faults = (...all: string[]) => ({
    readiness: { faults: async () => all, healthNotes: async () => ({ backup: null }) },
  });
  const lost = (n: number) => `control.db has lost ${n} counted calls: restore a backup`;
  const first = await told(faults(lost(3), "the disk is full"));
  expect(first).toEqual([
    ["damage", "control.db has lost N counted calls"],
    ["disk", "disk"],
  ]);
  expect(await told(faults(lost(4), "the disk is full"))).toEqual(first);
  const leftOut = {
    state: "gone" as const,
    reason: "gone.",
    remedy: "",
    since: "2026-11-20T08:00",
  };
  const repositories = [{ path: "/srv/b.git", leftOut }];
  const outcome = "1 left out: /srv/b.git: gone.";
  const endedRuns = [endedRun("run_1", { kind: "ingest", outcome, source: null })];
  const stale = [{ name: "acme/tool", lastCommit: "2024-10-24" }];
  expect(await told({ state: { ...state, repositories }, endedRuns, stale })).toEqual([
    ["repository", "/srv/b.git"],
    ["repository", "stale acme/tool"],
  ]);
  // The node that reads a source tells of it, and invitations are told to nobody.
  const source = { id: "corp", fault: "away", reader: "b:/data" } as SourceStatus;
  expect(await told({ listSources: async () => [source] })).toEqual([]);
});

test("mail to accounts that was given up, until other mail goes out", async () => {
  const { saved, deliveries } = folder.control;
  const give = async (account: string, fault?: string) => {
    await saved.askToConfirm(account, now);
    const outcome = { id: `mail_${account}`, attempts: 9, dueMs: null, ...(fault && { fault }) };
    await deliveries.noteOutcomes("searches", [outcome]);
  };
  await give("ada", "the mail server cannot be reached (ECONNREFUSED)");
  const text = "1 delivery to accounts by mail failed for good";
  expect(await list()).toEqual([["warning", text, undefined]]);
  await give("ben");
  expect(await list()).toEqual([]);
});

test("work that an upgrade or the operator has made due", async () => {
  const due = { recount: { why: "other rules" }, rescore: { why: "another model", advice: "x" } };
  expect(await list({ pending: due })).toEqual([
    ["warning", "other rules", "/admin/runs#histories"],
    ["warning", "another model", "/admin/model"],
  ]);
});

test("what waits: pairs that nobody decided, invitations, repositories without news", async () => {
  const pair = (a: string, b: string) =>
    ({ people: [{ login: a }, { login: b }], clues: [] }) as unknown as IdentityPair;
  const result = [pair("ada", "ada-2"), pair("ben", "ben-2")];
  const suggestions = { state: "done", result, at: now, isStale: false } as const;
  const decided = { pair: ["ada", "ada-2"], state: "done", endedAt: now } as unknown as RunStatus;
  const refused = { ...decided, state: "stopped" } as RunStatus;
  expect(await list({ suggestions, runs: [decided] })).toEqual([
    ["task", "1 possible duplicate", "/admin/identity"],
  ]);
  expect(await list({ suggestions, runs: [refused] })).toMatchObject([
    ["task", "2 possible duplicates", "/admin/identity"],
  ]);
  const stale = [{ name: "acme/tool", lastCommit: "2024-10-24" }];
  expect(await list({ stale })).toMatchObject([
    ["task", expect.stringMatching(/^1 repository has no commits in the last 90 days/), "#stale"],
  ]);
});

test("an invitation waits until it is taken, its account is disabled, or a new one takes its place", async () => {
  const { createAccounts } = await import("../../../src/accounts/accounts.ts");
  const accounts = createAccounts(folder.control, { now: () => now, actor: "operator" });
  for (const email of ["ada@example.com", "ben@example.com"]) {
    await accounts.createWithoutKey({ email, plan: "pro" });
    await accounts.makeLink(email, "invitation");
    await accounts.makeLink(email, "invitation");
  }
  expect(await list()).toEqual([["task", "2 invitations are not used yet", "/admin/accounts"]]);
  const late = new Date("2026-12-04T10:00:00Z");
  await noteBackup(late);
  expect(await list({ now: late })).toEqual([
    ["task", "2 invitations are not used yet. 2 expired: create a new link", "/admin/accounts"],
  ]);
  await accounts.setDisabled("ben@example.com", true);
  expect(await list({ now: late })).toMatchObject([
    ["task", expect.stringContaining("1 invitation is not used yet"), "/admin/accounts"],
  ]);
});
