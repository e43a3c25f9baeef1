/** Sources that a page adds: where they and their tokens are, how they are read, and who reads them. */
import { afterEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { openDataFolder } from "../../src/appliance/appliance.ts";
import { createRuns } from "../../src/appliance/runs/runs.ts";
import { openSources } from "../../src/appliance/sources/open-sources.ts";
import type { Config } from "../../src/config/config.ts";
import type { SourceFinding } from "../../src/ingest/ingest.ts";
import { testConfig } from "../appliance.ts";
import { readOutput } from "../child-output.ts";
import { until } from "../faults/callers.ts";
import { program } from "../faults/server-process.ts";
import { inventForge } from "../ingest/forges/invented-forge.ts";
import { inventRepository } from "../ingest/git/invented-repository.ts";
import { serveGit } from "../ingest/mirrors/serve-git.ts";
import { hasPostgres, newDatabase } from "../postgres/database.ts";
import { makeFolder } from "../temporary-folder.ts";

const root = makeFolder("stored-sources");
const secret = "token-that-nobody-may-see";
const boss = "acc_boss";
let folders = 0;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** The sources, the runs and the data folder of a server without its pages. */
async function openDesk(own: Partial<Config> = {}, data = join(root, `data${++folders}`)) {
  const database = own.database ?? { url: undefined, connections: 4 };
  const settingsFile = join(root, `settings${folders}.toml`);
  const { url, ...rest } = database;
  const lines = [
    ...(own.ingest?.roots ? [`ingest.roots = "${own.ingest.roots.join(",")}"`] : []),
    ...(url === undefined ? [] : [`database.url = "${url}"`]),
  ];
  writeFileSync(settingsFile, `${lines.join("\n")}\n`, { mode: 0o600 });
  const config = testConfig({ data, settingsFile, ...own, database: { url, ...rest } });
  const log: string[] = [];
  const parts = {
    ...{
      config,
      live: () => config,
      now: () => new Date(),
      newId: () => crypto.randomUUID(),
      version: "0.0.0-test",
    },
    log: pino({}, { write: (line: string) => log.push(line) }),
  };
  const folder = await openDataFolder(config, parts, { create: true, search: false });
  const { control, modules } = folder;
  const runs = createRuns({ ...parts, folder, control, pool: modules.pool, self: program });
  const sources = openSources({ ...parts, folder, runs, isServing: true });
  const close = async () => {
    sources.close();
    await runs.close();
    await folder.close();
  };
  open.push(close);
  const find = async (id: string) => (await sources.list()).find((one) => one.id === id);
  return {
    ...{ data, sources, runs, control, pool: modules.pool, find, log: () => log.join("") },
    /** Waits until the source was read, and no run is left. */
    async untilRead(id: string) {
      await until(async () => {
        const isIdle = runs.list().every(({ endedAt }) => endedAt !== undefined);
        const source = await find(id);
        return isIdle && (source?.completedAt ?? source?.fault) !== undefined;
      });
      return await find(id);
    },
    logins: async () =>
      (await Array.fromAsync(modules.pool.facts()))
        .flat()
        .map(({ login }) => login)
        .sort(),
    command: (...args: string[]) =>
      readOutput(
        Bun.spawn([...program, ...args, "--data", data, "--config", settingsFile], {
          stdout: "pipe",
          stderr: "pipe",
        }),
      ),
  };
}

const foundForge = (url: string) =>
  ({
    ...{ ok: true, kind: "gitea", url, product: "Gitea", account: undefined, examples: [] },
    choices: [{ select: "all", label: "Everybody" }],
  }) satisfies SourceFinding;
const found = (kind: "git" | "folder", url: string) =>
  ({
    ...{ ok: true, kind, url, product: "1 repository", account: undefined },
    ...{ choices: [], examples: [] },
  }) satisfies SourceFinding;
const daily = { everyHours: 24, select: [] as string[] };
/** In another process: SQLite's locks end if this one opens and closes a database as a plain file. */
const filesWith = (folder: string, word: string) =>
  Bun.spawnSync(["grep", "-rlF", "-e", word, folder]).stdout.toString().split("\n").filter(Boolean);

describe("a forge that a page adds", () => {
  test("is read at once; its token is in one file that only its owner reads, and leaves with it", async () => {
    await using forge = inventForge();
    forge.accounts.set(1, { login: "ada", name: "Ada Forge" });
    const desk = await openDesk();
    const { sources, data } = desk;
    const draft = { finding: foundForge(forge.url), token: secret, select: ["all"], everyHours: 6 };
    expect(await sources.save(draft, boss)).toEqual({ ok: true, id: expect.any(String) });
    const [{ id = "" } = {}] = await sources.list();
    expect(id).toMatch(/^127\.0\.0\.1-\d+$/);
    expect(await desk.untilRead(id)).toMatchObject({
      ...{ kind: "gitea", address: forge.url, select: ["all"], everyHours: 6, people: 1 },
      ...{ isFromFile: false, isKnown: true, lacksToken: false, fault: undefined },
    });
    expect(forge.asked[0]?.headers.get("authorization")).toBe(`Bearer ${secret}`);
    const file = join(data, "secrets", `${id}.token`);
    expect(filesWith(data, secret)).toEqual([file]);
    expect([file, join(data, "secrets")].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o600, 0o700,
    ]);
    expect(desk.log()).not.toContain(secret);
    // The mirrors are in the data folder, and are no fault of it.
    expect(existsSync(join(data, "mirrors", "forges"))).toBe(true);
    expect((await desk.command("doctor", "--quick")).out).not.toContain("mirrors");

    const before = readFileSync(file, "utf8");
    const change = { ...draft, id, token: undefined, everyHours: 12 };
    expect(await sources.save(change, boss)).toEqual({ ok: true, id });
    expect([(await desk.find(id))?.everyHours, readFileSync(file, "utf8")]).toEqual([12, before]);
    const elsewhere = { ...change, finding: foundForge("https://git.corp.example") };
    expect(await sources.save(elsewhere, boss)).toMatchObject({ ok: false, field: "address" });
    expect(await sources.save({ ...change, everyHours: 0 }, boss)).toMatchObject({
      ...{ ok: false, field: "everyHours" },
      message: expect.stringContaining("whole number from 1 to 8760"),
    });
    await desk.untilRead(id);
    expect(await sources.remove(id, boss, { withData: false })).toBe(true);
    expect(existsSync(file)).toBe(false);
    expect(await desk.find(id)).toMatchObject({ isKnown: false, people: 1 });
    const entries = await desk.control.auditEntries(20, { action: "source" });
    expect(entries.map(({ action }) => action)).toEqual([
      "source.removed",
      "source.changed",
      "source.added",
    ]);
  }, 120_000);

  test("says in words that its token is gone or open to others, and goes with its people", async () => {
    await using forge = inventForge();
    forge.accounts.set(1, { login: "ada", name: "Ada Forge" });
    const desk = await openDesk();
    const draft = { finding: foundForge(forge.url), token: secret, select: ["all"], everyHours: 6 };
    await desk.sources.save(draft, boss);
    const [{ id = "" } = {}] = await desk.sources.list();
    await desk.untilRead(id);
    expect(await desk.logins()).toEqual(["ada"]);
    const file = join(desk.data, "secrets", `${id}.token`);
    chmodSync(file, 0o644);
    expect((await desk.find(id))?.fault).toContain("other users can read it: set its mode to 0600");
    rmSync(file);
    expect(await desk.find(id)).toMatchObject({
      lacksToken: true,
      fault: expect.stringContaining("Backups do not contain tokens"),
    });
    const { code, err } = await desk.command("sources", "refresh", id);
    expect([code, err]).toEqual([2, expect.stringContaining("Type it again")]);
    expect(await desk.sources.save({ ...draft, id, token: undefined }, boss)).toMatchObject({
      ...{ ok: false, field: "token", message: expect.stringContaining("type it again") },
    });
    expect(await desk.sources.remove(id, boss, { withData: true })).toBe(true);
    await until(async () => (await desk.find(id)) === undefined);
    await until(async () => (await desk.logins()).length === 0);
    const [entry] = await desk.control.auditEntries(1, { action: "source" });
    expect(entry).toMatchObject({ action: "source.removed", actor: boss, subject: id });
  }, 120_000);

  test("is not read again at once after somebody has stopped it", async () => {
    await using forge = inventForge();
    const silent = Promise.withResolvers<Response>();
    forge.before = () => silent.promise;
    const { sources, runs, find } = await openDesk();
    const draft = { finding: foundForge(forge.url), token: secret, select: ["all"], everyHours: 6 };
    await sources.save(draft, boss);
    await until(async () => runs.list()[0]?.state === "running" && forge.asked.length > 0);
    const [run] = runs.list();
    expect(await runs.stop(run?.id ?? "", boss)).toBe(true);
    await until(async () => runs.list()[0]?.state === "stopped");
    silent.resolve(new Response("", { status: 500 }));
    const [{ id = "" } = {}] = await sources.list();
    const { nextAt = "" } = (await find(id)) ?? {};
    expect(Date.parse(nextAt)).toBeGreaterThan(Date.now() + 5 * 3_600_000);
  }, 120_000);
});

describe("repositories", () => {
  test("by an address: fetched, read, listed by commands, pushed, and removed with the mirror", async () => {
    const home = join(root, "server");
    inventRepository(join(home, "acme/tool.git"), [{}]);
    await using server = serveGit(home);
    const desk = await openDesk();
    const { sources } = desk;
    const address = `${server.url}/acme/tool`;
    const draft = { finding: found("git", address), token: undefined, ...daily };
    const saved = await sources.save(draft, boss);
    expect(saved).toEqual({ ok: true, id: "tool" });
    expect(await desk.untilRead("tool")).toMatchObject({ people: 1, repositories: 1 });
    expect(await desk.logins()).toHaveLength(1);
    expect(existsSync(join(desk.data, "forges.db"))).toBe(false);
    const listed = JSON.parse((await desk.command("sources", "list", "--json")).out);
    expect(listed).toMatchObject([{ id: "tool", kind: "git", url: address, people: 1 }]);

    const { secret: hookSecret } = { secret: await sources.turnHookOn("tool", boss) };
    expect(hookSecret).toHaveLength(43);
    expect(await sources.findSecret("tool")).toBe(hookSecret as string);
    expect(filesWith(desk.data, hookSecret as string)).toEqual([]);
    inventRepository(join(home, "acme/tool.git"), [{}, { author: "Ben Sample <ben@example.org>" }]);
    expect(await sources.push("tool", "acme/tool")).toBe("accepted");
    await until(async () => (await desk.logins()).length === 2);
    expect(desk.runs.list()[0]).toMatchObject({ by: "hook", kind: "refresh" });
    await sources.turnHookOff("tool", boss);
    expect(await sources.findSecret("tool")).toBeUndefined();

    expect(filesWith(join(desk.data, "mirrors"), "acme/tool")).not.toEqual([]);
    const forgot = await desk.command("sources", "forget", "tool", "--allow-removals");
    expect([forgot.code, forgot.out]).toEqual([0, expect.stringContaining("tool is forgotten")]);
    expect([await desk.logins(), await sources.list()]).toEqual([[], []]);
    expect(filesWith(join(desk.data, "mirrors"), "acme/tool")).toEqual([]);
  }, 120_000);

  test("in a folder: below the roots only, each by its path, and nothing beside it", async () => {
    const roots = [join(root, "mirrors")];
    inventRepository(join(root, "mirrors/team/one.git"), [{}]);
    inventRepository(join(root, "mirrors/team/two.git"), [
      { author: "Ben Sample <ben@example.org>" },
    ]);
    inventRepository(join(root, "beside.git"), [{}]);
    const desk = await openDesk({ ingest: { timeoutMs: 60_000, gitMemoryMiB: 2048, roots } });
    const { sources } = desk;
    const finding = await sources.find({ address: join(root, "mirrors/team"), token: undefined });
    expect(finding).toMatchObject({
      ...{ ok: true, kind: "folder", product: "2 repositories", examples: ["one.git", "two.git"] },
    });
    const outside = await sources.find({ address: root, token: undefined });
    expect(outside).toMatchObject({ ok: false, message: `The folder must be in ${roots[0]}.` });
    if (!finding.ok) throw new Error(finding.message);
    await sources.save({ finding, token: undefined, ...daily }, boss);
    expect(await desk.untilRead("team")).toMatchObject({ people: 2, repositories: 2 });
    for (const name of ["one", "one.git", join(root, "mirrors/team/one.git")])
      expect([name, await sources.push("team", name)]).toEqual([name, "accepted"]);
    for (const name of ["three", "../../beside.git", join(root, "beside.git"), "", "\0"])
      expect([name, await sources.push("team", name)]).toEqual([name, "unknown repository"]);
    expect(await sources.push("else", undefined)).toBe("unknown repository");
    const listPushed = () => desk.runs.list().filter(({ by }) => by === "hook");
    await until(() => listPushed().some(({ endedAt }) => endedAt !== undefined));
    expect(listPushed()).toMatchObject([
      { title: "Read the source team: 1 repository", state: "done" },
    ]);
    const { err, code } = await desk.command("sources", "refresh", "team", "--repository", "no");
    expect([code, err]).toEqual([4, expect.stringContaining('There is no repository "no" in')]);
  }, 120_000);

  test("a stored folder that the settings allow no more is not read", async () => {
    const path = join(root, "once/allowed");
    inventRepository(join(path, "tool.git"), [{}]);
    const data = join(root, "allowed");
    const roots = [join(root, "once")];
    const limits = { timeoutMs: 60_000, gitMemoryMiB: 2048 };
    const first = await openDesk({ ingest: { ...limits, roots } }, data);
    await first.sources.save({ finding: found("folder", path), token: undefined, ...daily }, boss);
    await first.untilRead("allowed");
    await open.pop()?.();
    const later = await openDesk({ ingest: { ...limits, roots: [join(root, "mirrors")] } }, data);
    const { code, err } = await later.command("sources", "refresh", "allowed");
    expect([code, err]).toEqual([2, expect.stringContaining("The folder must be in")]);
  }, 120_000);
});

test("a token without a source is removed, once it is not new", async () => {
  const data = join(root, "strays");
  mkdirSync(join(data, "secrets"), { recursive: true });
  const [old, young] = ["gone", "new"].map((id) => join(data, "secrets", `${id}.token`));
  for (const path of [old, young]) writeFileSync(path as string, "x\n", { mode: 0o600 });
  utimesSync(old as string, 0, 0);
  await openDesk({}, data);
  await until(() => !existsSync(old as string));
  expect(existsSync(young as string)).toBe(true);
});

test("a backup has the source and not its token", async () => {
  await using forge = inventForge();
  const desk = await openDesk();
  const draft = { finding: foundForge(forge.url), token: secret, select: ["all"], everyHours: 6 };
  await desk.sources.save(draft, boss);
  const [{ id = "" } = {}] = await desk.sources.list();
  await desk.untilRead(id);
  const archive = join(root, "source.tar.zst");
  expect((await desk.command("backup", archive)).code).toBe(0);
  await open.pop()?.();
  const bytes = Bun.zstdDecompressSync(readFileSync(archive));
  expect(Buffer.from(bytes).includes(secret)).toBe(false);
  const restored = join(root, "restored");
  const given = ["restore", archive, "--data", restored];
  const { code, err } = await readOutput(
    Bun.spawn([...program, ...given], { stdout: "pipe", stderr: "pipe" }),
  );
  expect([code, err]).toEqual([0, expect.any(String)]);
  const again = await openDesk({}, restored);
  expect(await again.find(id)).toMatchObject({ address: forge.url, lacksToken: true });
}, 120_000);

test.skipIf(!hasPostgres)(
  "of two nodes both list a source, one reads it, and takes what the other asks",
  async () => {
    await using forge = inventForge();
    forge.accounts.set(1, { login: "ada", name: "Ada Forge" });
    const database = { url: await newDatabase(), connections: 4 };
    const one = await openDesk({ database });
    const other = await openDesk({ database });
    const draft = { finding: foundForge(forge.url), token: secret, select: ["all"], everyHours: 6 };
    await one.sources.save(draft, boss);
    const [{ id = "" } = {}] = await one.sources.list();
    await one.untilRead(id);
    const seen = await other.find(id);
    expect(seen).toMatchObject({ people: 1, lacksToken: false, nextAt: undefined });
    expect(seen?.reader).toContain(one.data);
    expect((await one.find(id))?.reader).toBeUndefined();
    const refused = await other.command("sources", "refresh", id);
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining("by another node")]);

    const countRuns = () => one.runs.list().length;
    const before = countRuns();
    expect(await other.sources.request(id, boss)).toBe(true);
    await until(() => countRuns() > before);
    expect(other.runs.list()).toEqual([]);
    await one.untilRead(id);
    // Every node computes the same secret.
    expect(await one.sources.turnHookOn(id, boss)).toBe(
      (await other.sources.findSecret(id)) as string,
    );

    const taken = { ...draft, id, token: undefined };
    expect(await other.sources.save(taken, boss)).toMatchObject({ ok: false, field: "token" });
    expect(await other.sources.save({ ...taken, token: secret }, boss)).toEqual({ ok: true, id });
    await other.untilRead(id);
    expect((await one.find(id))?.reader).toContain(other.data);
    expect(await one.sources.remove(id, boss, { withData: false })).toBe(true);
    expect(await other.sources.list()).toMatchObject([{ id, isKnown: false }]);
  },
  180_000,
);
