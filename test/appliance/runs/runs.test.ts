/** Runs as pages start them: real children of the program on a real folder, stopped, killed and kept waiting. */
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type DataFolder, openDataFolder } from "../../../src/appliance/appliance.ts";
import { rescoreAfterUpgrade } from "../../../src/appliance/pending-work.ts";
import { createRuns } from "../../../src/appliance/runs/runs.ts";
import { chooseIngestFolder } from "../../../src/appliance/sources/ingest-folder.ts";
import type { RunOrder, RunState, RunStatus } from "../../../src/interfaces/web/web.ts";
import { poolFile } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { openDatabase } from "../../../src/sqlite/database.ts";
import { silentAround, testConfig } from "../../appliance.ts";
import { program } from "../../faults/server-process.ts";
import { ada, ben, inventRepository } from "../../ingest/git/invented-repository.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
let mirrors: string;
let data: string;
let folder: DataFolder;
let runs: ReturnType<typeof createRuns>;

beforeEach(async () => {
  mirrors = newFolder();
  inventRepository(join(mirrors, "one.git"), [{ author: ada, files: { "a.go": "package a\n" } }]);
  data = newFolder();
  const config = testConfig({
    data,
    settingsFile: join(data, "roster.toml"),
  });
  const around = silentAround(() => new Date());
  writeFileSync(config.settingsFile as string, sources());
  folder = await openDataFolder(config, around, { create: true, search: false });
  const { control, modules } = folder;
  const { pool } = modules;
  runs = createRuns({ ...around, config, folder, control, pool, self: withTools() });
});
afterEach(async () => {
  await runs.close();
  await folder.close();
});

/** Forges that take requests, and answer none. */
const silent = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise(() => {}) });
afterAll(() => silent.stop(true));
const sources = () =>
  ["corp", "other"]
    .map(
      (id) => `[[sources]]
id = "${id}"
kind = "gitea"
url = "http://127.0.0.1:${silent.port}/${id}"
select = ["all"]
allowHttp = true
`,
    )
    .join(`[[sources]]
id = "team"
kind = "folder"
path = "${mirrors}"
`);
const readFolder = { kind: "refresh", source: "team" } as const;

const hang = () => join(mirrors, "hang");
/** A git whose `log` waits as long as a file is there, and ends with its parent. */
function withTools(): readonly string[] {
  const tools = newFolder();
  const wait = `case " $* " in *" log "*) while [ -e '${hang()}' ] && kill -0 $PPID; do echo > '${hang()}.met'; sleep 0.05; done;; esac`;
  const script = `#!/bin/sh\n${wait}\nexec ${Bun.which("git")} "$@"\n`;
  writeFileSync(join(tools, "git"), script, { mode: 0o755 });
  return ["env", `PATH=${tools}:${process.env["PATH"]}`, ...program];
}

async function begin(order: RunOrder, by: string) {
  const started = await runs.start(order, by);
  if (!started.ok) throw new Error(started.message);
  return started;
}

const start = async (order: RunOrder): Promise<RunStatus> => (await begin(order, "boss")).run;

async function until(id: string, ...states: RunState[]): Promise<RunStatus> {
  for (;;) {
    const run = runs.list().find((one) => one.id === id);
    if (run && states.includes(run.state)) return run;
    if (run?.endedAt) throw new Error(`It ${run.state}: ${run.outcome}`);
    await Bun.sleep(20);
  }
}

async function hold(): Promise<RunStatus> {
  writeFileSync(hang(), "");
  const { id } = await start(readFolder);
  const run = await until(id, "running");
  while (!existsSync(`${hang()}.met`)) await Bun.sleep(20);
  return run;
}

const audited = async () =>
  [...(await folder.control.auditEntries(20, { action: "run" }))]
    .reverse()
    .map(({ action, actor, detail }) => ({ action, actor, ...detail }));

test("a folder is read, known repositories are read again, and the audit log has all of it", async () => {
  const { id } = await start(readFolder);
  expect(await until(id, "done")).toMatchObject({
    outcome: "1 repository read, 0 unchanged; 1 person added, 0 replaced, 0 removed.",
  });
  expect(await folder.modules.pool.size()).toBe(1);
  const again = await start({ kind: "ingest" });
  expect(again.title).toBe("Read new commits of 1 repository");
  expect((await until(again.id, "done")).outcome).toStartWith("0 repositories read, 1 unchanged");
  const rescored = await start({ kind: "rescore" });
  expect((await until(rescored.id, "done")).outcome).toBe(
    "1 person scored; the score of 0 changed.",
  );
  expect(await audited()).toMatchObject([
    { action: "run.started", actor: "boss", kind: "refresh", source: "team" },
    { action: "run.ended", state: "done" },
    { action: "run.started", kind: "ingest", repositories: 1 },
    { action: "run.ended", state: "done" },
    { action: "run.started", kind: "rescore" },
    { action: "run.ended", state: "done" },
  ]);
}, 300_000);

test("a run that left a repository out is done, and says which", async () => {
  const broken = join(mirrors, "broken.git");
  inventRepository(broken, [{ author: ben }]);
  writeFileSync(join(broken, "HEAD"), "nonsense\n");
  const { id } = await start(readFolder);
  const { outcome } = await until(id, "done");
  expect(outcome).toStartWith("1 repository read, 0 unchanged; 1 person added");
  expect(outcome).toContain(`1 left out: ${broken}: `);
  rmSync(join(mirrors, "one.git"), { recursive: true });
  const again = await start({ kind: "ingest" });
  expect((await until(again.id, "failed")).outcome).toStartWith("left out ");
}, 300_000);

test("people whom an earlier model judged are judged again after an upgrade, and by no other change", async () => {
  await until((await start(readFolder)).id, "done");
  const { pool } = folder.modules;
  const inForce = folder.modelVersion();
  expect(await pool.model()).toBe(inForce);
  const judgedBy = (model: string) => {
    const store = openDatabase(folder.paths.pool, poolFile);
    store.sqlite.execute(
      "UPDATE developer SET basis = ? || substr(basis, instr(basis, ' '))",
      model,
    );
    store.close();
  };
  // One that is in force, a model of the operator, and one of a later version: each is somebody's choice.
  for (const model of [inForce, "2020.01+0123abcd", "2099.01"]) {
    judgedBy(model);
    await rescoreAfterUpgrade(folder, runs);
    expect([model, runs.list().map(({ kind }) => kind)]).toEqual([model, ["refresh"]]);
  }
  judgedBy("2026.11.3");
  await rescoreAfterUpgrade(folder, runs);
  const [run] = runs.list();
  expect(run).toMatchObject({ kind: "rescore", by: "server" });
  await until(run?.id ?? "", "done");
  expect(await pool.model()).toBe(inForce);
}, 300_000);

test("a run that is stopped, or killed, leaves the pool as it was, and the next one goes on", async () => {
  const held = await hold();
  const waiting = await start({ kind: "recount" });
  expect(runs.list()).toMatchObject([{ state: "waiting" }, { state: "running" }]);
  expect(await runs.stop(waiting.id, "boss")).toBe(true);
  expect(runs.list().find(({ id }) => id === waiting.id)).toMatchObject({ state: "stopped" });
  expect(await runs.stop(held.id, "boss")).toBe(true);
  expect(await runs.stop(held.id, "boss")).toBe(false);
  expect((await until(held.id, "stopped")).outcome).toStartWith("The pool is as it was.");
  expect(await folder.modules.pool.size()).toBe(0);
  expect(await folder.modules.pool.importUnderWay()).toBeUndefined();

  rmSync(`${hang()}.met`);
  const killed = await hold();
  // The git that was stopped may have written the file once more.
  let holder: string | undefined;
  while (!holder) holder = (await folder.modules.pool.importUnderWay())?.holder;
  // It is a run of this server.
  expect(await runs.findOther()).toBeUndefined();
  process.kill(Number(/process (\d+)/.exec(holder)?.[1]), "SIGKILL");
  expect((await until(killed.id, "failed")).outcome).toContain("was killed (signal 9)");
  // The list of runs outlives the server.
  expect(await runs.listEnded()).toMatchObject([
    { id: killed.id, state: "failed", outcome: expect.stringContaining("was killed (signal 9)") },
    { id: held.id, state: "stopped", by: "boss", machine: hostname() },
    { id: waiting.id, state: "stopped", outcome: "It had not begun." },
  ]);
  expect(await folder.modules.pool.size()).toBe(0);
  rmSync(hang());
  const next = await start(readFolder);
  await until(next.id, "done");
  expect(await folder.modules.pool.size()).toBe(1);
  expect((await audited()).map(({ action }) => action)).toEqual([
    ...["run.started", "run.started", "run.stopped", "run.stopped", "run.ended"],
    ...["run.started", "run.ended", "run.started", "run.ended"],
  ]);
}, 300_000);

test("a server that stops ends its run, and what waits does not begin", async () => {
  const held = await hold();
  const waiting = await start({ kind: "recount" });
  await runs.close();
  expect(runs.list().find(({ id }) => id === held.id)).toMatchObject({ state: "stopped" });
  expect(runs.list().find(({ id }) => id === waiting.id)).toMatchObject({ state: "stopped" });
  expect(await folder.modules.pool.importUnderWay()).toBeUndefined();
}, 300_000);

test("a command's import is shown while it runs, and waited for", async () => {
  expect(await runs.findOther()).toBeUndefined();
  writeFileSync(hang(), "");
  const command = Bun.spawn([...withTools(), "ingest", "git", mirrors, "--data", data], {
    ...{ stdout: "ignore", stderr: "ignore" },
  });
  while (!existsSync(`${hang()}.met`)) await Bun.sleep(20);
  const title = "an ingest of git histories";
  expect(await runs.findOther()).toMatchObject({ title, pid: command.pid, machine: undefined });
  const { id } = await start(readFolder);
  await Bun.sleep(100);
  expect(runs.list()).toMatchObject([{ id, state: "waiting" }]);
  rmSync(hang());
  expect(await command.exited).toBe(0);
  await until(id, "done");
  expect(await runs.findOther()).toBeUndefined();
}, 300_000);

test("a run whose process was killed ended without a word, and other machines are not judged", async () => {
  writeFileSync(hang(), "");
  const command = Bun.spawn([...withTools(), "ingest", "git", mirrors, "--data", data], {
    ...{ stdout: "ignore", stderr: "ignore" },
  });
  while (!existsSync(`${hang()}.met`)) await Bun.sleep(20);
  expect(await runs.listEnded()).toEqual([]);
  const [begun] = await folder.control.runs.list();
  if (!begun) throw new Error("The run is not in the list.");
  expect(begun).toMatchObject({ state: "running", by: "command", pid: command.pid });
  const { runs: stored } = folder.control;
  await stored.add({ ...begun, id: "run_elsewhere", machine: "node-b" });
  // A server in a container had the same id before it was killed.
  await stored.add({ ...begun, id: "run_before", by: "schedule", pid: process.pid });
  command.kill("SIGKILL");
  await command.exited;
  rmSync(hang());
  const { id } = await start({ kind: "rescore" });
  while (!(await stored.list()).some((run) => run.id === id)) await Bun.sleep(20);
  const ended = await runs.listEnded();
  const lost = { state: "failed", outcome: expect.stringMatching(/^It ended without a word: /) };
  expect(ended.find((run) => run.id === begun.id)).toMatchObject(lost);
  expect(ended.find((run) => run.id === "run_before")).toMatchObject(lost);
  expect(ended.some((run) => run.id === "run_elsewhere")).toBe(false);
  await until(id, "done");
  const states = (await stored.list()).map((run) => [run.id, run.state]);
  expect(Object.fromEntries(states)).toMatchObject({ run_elsewhere: "running", [id]: "done" });
}, 300_000);

test("decisions and erasures are runs, and what was asked stays out of the audit log", async () => {
  inventRepository(join(mirrors, "two.git"), [{ author: ada }, { author: ben }]);
  await until((await start(readFolder)).id, "done");
  const [one = "", other = ""] = await folder.modules.pool.logins();
  const merge = await start({ kind: "merge", a: one, b: other });
  const forget = await start({ kind: "forget", person: one, reason: "request 17" });
  expect((await until(merge.id, "done")).outcome).toStartWith("Merged: ");
  expect((await until(forget.id, "done")).outcome).toMatch(
    /^Forgotten: receipt ers_\w+, \d+ (entry|entries) deleted\.$/,
  );
  expect(await folder.modules.pool.size()).toBe(0);
  const again = await start({ kind: "forget", person: one });
  expect((await until(again.id, "failed")).outcome).toContain("already on the suppression list");
  const log = JSON.stringify(await folder.control.auditEntries(100));
  const unknown = await start({ kind: "merge", a: "ghost@example.com", b: "shade@example.com" });
  expect((await until(unknown.id, "failed")).outcome).toContain("ghost@example.com");
  const ended = JSON.stringify(await runs.listEnded());
  expect(ended).toContain("the person");
  for (const name of [one, other, "ada@", "Ada", "ghost"]) expect(log + ended).not.toContain(name);
  expect(log).toContain('"result":"ers_');
}, 300_000);

test("readings of forges run beside others, and one that is ordered again is joined", async () => {
  const held = await hold();
  const order = { kind: "refresh", source: "corp", isBeside: true } as const;
  const { run: corp, ended } = await begin(order, "schedule");
  const { run: other } = await begin({ ...order, source: "other" }, "schedule");
  await Promise.all([corp, other].map(({ id }) => until(id, "running")));
  expect(runs.list().find(({ id }) => id === held.id)).toMatchObject({ state: "running" });
  expect((await begin(order, "boss")).run.id).toBe(corp.id);
  // The reading may have passed what was pushed.
  const pushed = await begin(order, "hook");
  expect(pushed.run.id).not.toBe(corp.id);
  const some = (...repositories: string[]): RunOrder => ({
    ...order,
    isBeside: false,
    repositories,
  });
  const one = await begin(some("acme/one"), "hook");
  const both = await begin(some("acme/one", "acme/two"), "hook");
  expect(both.run).toMatchObject({ id: one.run.id, title: "Read the source corp: 2 repositories" });
  expect(await runs.stop(corp.id, "boss")).toBe(true);
  expect(await ended).toMatchObject({ id: corp.id, state: "stopped" });
  await runs.close();
  expect(await one.ended).toMatchObject({ state: "stopped" });
  const list = (await runs.listEnded()).map(({ id, source, by }) => ({ id, source, by }));
  expect(list).toContainEqual({ id: corp.id, source: "corp", by: "schedule" });
  expect(list).toContainEqual({ id: one.run.id, source: "corp", by: "hook" });
  // What nobody has asked for is not audited, and who stops it is.
  expect((await audited()).map(({ action, actor }) => `${action} ${actor}`)).toEqual([
    "run.started boss",
    "run.stopped boss",
    "run.ended boss",
  ]);
}, 300_000);

test("a reading that takes too long is stopped", async () => {
  const { ended } = await begin({ kind: "refresh", source: "corp", longestMs: 2000 }, "schedule");
  expect(await ended).toMatchObject({
    state: "failed",
    outcome: expect.stringContaining("too long"),
  });
}, 300_000);

test("runs of commands are in the list of a server beside them, however they end", async () => {
  const run = async (env: Record<string, string>, ...given: string[]) => {
    const child = Bun.spawn([...program, ...given, "--data", data], {
      ...{ env: { ...process.env, ...env }, stdout: "ignore", stderr: "ignore" },
    });
    return child.exited;
  };
  expect(await run({}, "ingest", "git", mirrors)).toBe(0);
  expect(await run({}, "ingest", "git")).toBe(0);
  expect(await run({}, "rescore")).toBe(0);
  expect(await run({}, "rescore", "--diff")).toBe(0);
  writeFileSync(join(mirrors, "hr.csv"), "email,location\nada@example.com,Berlin\n");
  expect(await run({}, "ingest", "people", join(mirrors, "hr.csv"))).toBe(0);
  expect(await run({}, "sources", "forget", "corp")).not.toBe(0);
  expect(await run({ ROSTER_STARTED_BY: "server" }, "rescore")).toBe(0);
  expect(await run({}, "rescore", "--limit", "much")).not.toBe(0);
  const list = [...(await runs.listEnded())];
  expect(list.reverse()).toMatchObject([
    {
      ...{ kind: "ingest", title: `Read git histories in ${mirrors}`, by: "command" },
      ...{ machine: hostname(), source: null, state: "done" },
      outcome: "1 repository read, 0 unchanged; 1 person added, 0 replaced, 0 removed.",
    },
    { title: "Recheck identities", state: "done" },
    { title: "Update all scores", outcome: "1 person scored; the score of 0 changed." },
    { title: "Read the list of people hr", outcome: expect.stringMatching(/^Facts added to 1 /) },
    { title: "Forget the source corp", source: "corp", state: "failed" },
  ]);
}, 300_000);

test("only folders below a root may be named, and nothing is told of others", () => {
  const outside = newFolder();
  mkdirSync(join(mirrors, "team"));
  symlinkSync(outside, join(mirrors, "out"));
  writeFileSync(join(mirrors, "file"), "");
  expect(chooseIngestFolder(join(mirrors, "team"), [mirrors])).toMatchObject({ ok: true });
  expect(chooseIngestFolder(`${mirrors}/`, [mirrors])).toMatchObject({ ok: true });
  for (const [typed, says] of [
    ["team", "absolute"],
    [outside, "must be in"],
    [join(outside, "nothing"), "must be in"],
    [`${mirrors}/../${outside.split("/").at(-1)}`, "must be in"],
    [`${mirrors}-beside`, "must be in"],
    [join(mirrors, "out"), "leads out of"],
    [join(mirrors, "nothing"), "no such folder"],
    [join(mirrors, "file"), "neither a folder"],
    [`${mirrors}/\0`, "no such folder"],
  ] as const) {
    expect([typed, chooseIngestFolder(typed, [mirrors])]).toEqual([
      typed,
      { ok: false, message: expect.stringContaining(says) },
    ]);
  }
  expect(chooseIngestFolder(mirrors, [])).toMatchObject({
    message: expect.stringContaining("ingest.roots"),
  });
});
