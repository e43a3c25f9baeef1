/** The real program reads its settings again while it runs: what changes at once, what needs a restart, and what is refused. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openAppliance, openLiveSettings } from "../../src/appliance/appliance.ts";
import type { Config, LiveSettings } from "../../src/config/config.ts";
import { silentAround, testConfig } from "../appliance.ts";
import { readOutput } from "../child-output.ts";
import { endServersAfterEach, freePort, program, startServer } from "../faults/server-process.ts";
import { ada, inventRepository } from "../ingest/git/invented-repository.ts";
import { makeFolder } from "../temporary-folder.ts";

endServersAfterEach();
const folder = makeFolder("reload");
let servers = 0;

async function run(...argv: string[]) {
  const { code, out, err } = await readOutput(
    Bun.spawn([...program, ...argv], { stdout: "pipe", stderr: "pipe" }),
  );
  return { code, text: `${out}${err}` };
}

/** A server whose settings file is not in its data folder, so that only the server reads it. */
async function start(settings = "", ...flags: string[]) {
  const at = join(folder, `${++servers}`);
  mkdirSync(at);
  const [data, file] = [join(at, "data"), join(at, "roster.toml")];
  const set = (...lines: string[]) => writeFileSync(file, `${lines.join("\n")}\n`);
  set(settings);
  const server = await startServer(data, await freePort(), [], ["--config", file, ...flags]);
  const log = () => readFileSync(`${data}.log`, "utf8");
  return {
    ...{ ...server, at, data, set, log },
    reload: (...more: string[]) => run("reload", "--data", data, ...more),
    get: async (path: string) => {
      const headers = { "x-api-key": readFileSync(`${data}.key`, "utf8").trim() };
      const response = await fetch(`${server.address}${path}`, { headers });
      return { status: response.status, text: await response.text() };
    },
  };
}

/** Waits for something that a server does by itself. */
async function until(isSo: () => boolean | Promise<boolean>) {
  for (const end = Date.now() + 30_000; !(await isSo()); await Bun.sleep(50))
    if (Date.now() > end) throw new Error("it did not come about");
}

const archivesIn = (path: string) =>
  readdirSync(path).filter((name) => /^roster-.*\.tar\.zst$/.test(name));
const provider = (id: string, secretFile: string) => [
  ...["[[signIn.providers]]", `id = "${id}"`, `name = "Login of ${id}"`],
  ...['issuer = "https://login.example.com"', 'clientId = "roster"'],
  ...[`clientSecretFile = "${secretFile}"`, 'domains = ["example.com"]'],
];

describe("roster reload", () => {
  test("takes over a schedule, a provider, a source, a contact, quotas and the log's level; a port needs a restart", async () => {
    const server = await start();
    const { at, data, get } = server;
    const [backups, repositories] = [join(at, "backups"), join(at, "repositories")];
    mkdirSync(backups);
    inventRepository(join(repositories, "tool.git"), [{ author: ada, files: { "a.ts": "" } }]);
    writeFileSync(join(at, "secret"), "a-secret-of-this-test");
    expect((await get("/sign-in")).text).not.toContain("Login of house");
    expect((await get("/.well-known/security.txt")).status).toBe(404);
    expect((await get("/sso/callback/house")).status).toBe(404);
    server.set(
      ...['logLevel = "debug"', 'securityContact = "mailto:security@corp.example"'],
      ...["callsAtOnce = 9", "quota.lookupsPerMinute = 1"],
      ...[`backup.every = "1s"`, `backup.folder = "${backups}"`, "backup.keep = 2"],
      ...provider("house", "secret"),
      ...["[[sources]]", 'id = "local"', 'kind = "folder"', `path = "${repositories}"`],
    );
    const { code, text } = await server.reload();
    expect(text).toBe(
      "changed          securityContact, logLevel, quota.lookupsPerMinute, backup.every, backup.folder, backup.keep, " +
        "signIn.providers.house, sources.local\nneeds a restart  callsAtOnce\n",
    );
    expect(code).toBe(0);
    await until(() => archivesIn(backups).length === 2);
    expect((await get("/sign-in")).text).toContain("Login of house");
    expect((await get("/sso/callback/house")).status).not.toBe(404);
    expect((await get("/.well-known/security.txt")).text).toContain("security@corp.example");
    await get("/livez");
    expect(server.log()).toContain('"level":"debug"');
    expect([(await get("/v1/usage")).status, (await get("/v1/usage")).status]).toEqual([200, 429]);
    await until(async () => (await run("ingest", "list", "--data", data)).text.includes("tool"));

    writeFileSync(join(at, "secret"), "another-secret-of-this-test");
    expect((await server.reload("--json")).text).toBe(
      '{"changed":["signIn.providers.house"],"restart":["callsAtOnce"]}\n',
    );
    server.set();
    expect((await server.reload()).text).not.toContain("restart");
    expect((await get("/sign-in")).text).not.toContain("Login of house");
    expect((await get("/.well-known/security.txt")).status).toBe(404);
    expect((await server.reload()).text).toBe("changed  nothing\n");
    for (const secret of ["a-secret", "another-secret"]) expect(server.log()).not.toContain(secret);
  }, 300_000);

  test("takes nothing over if one setting is wrong, and both the command and the log say which", async () => {
    const server = await start();
    for (const wrong of ["backup.keep = 0", "[[signIn.providers]]", "port = ", "prot = 1"]) {
      server.set('securityContact = "mailto:security@corp.example"', wrong);
      const { code, text } = await server.reload();
      expect(code).toBe(2);
      expect(text).toStartWith("roster: all settings stay as they were: ");
      expect((await server.get("/.well-known/security.txt")).status).toBe(404);
    }
    expect(server.log().match(/all settings stay as they were/g)).toHaveLength(4);
    expect(server.log()).toContain("backup.keep");
    server.set('securityContact = "mailto:security@corp.example"');
    expect((await server.reload()).text).toBe("changed  securityContact\n");
  }, 300_000);

  test("of several at once, each hears of a reading that began after it asked", async () => {
    const server = await start();
    for (const keep of [3, 4, 5]) {
      server.set(`backup.keep = ${keep}`);
      const answers = await Promise.all([1, 2, 3, 4].map(() => server.reload()));
      expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
      expect(answers.map(({ text }) => text)).toContain("changed  backup.keep\n");
    }
  }, 300_000);

  test("does not cut a backup that is being made", async () => {
    const server = await start();
    const backups = join(server.at, "backups");
    mkdirSync(backups);
    let during = 0;
    for (let round = 1; during < 3; round++) {
      expect(round).toBeLessThan(40);
      server.set('backup.every = "1s"', `backup.folder = "${backups}"`, `backup.keep = ${round}`);
      process.kill(server.pid, "SIGHUP");
      const isBusy = () => readdirSync(backups).length > archivesIn(backups).length;
      for (const end = Date.now() + 3000; Date.now() < end && !isBusy(); ) await Bun.sleep(1);
      server.set(`backup.folder = "${backups}"`, `backup.keep = ${round}`);
      process.kill(server.pid, "SIGHUP");
      const told = () => server.log().match(/SIGHUP: the log/g)?.length ?? 0;
      await until(() => told() === 2 * round);
      if (isBusy()) during++;
      await until(() => !isBusy());
    }
    // A backup is noted after its files are in place.
    await until(() => (server.log().match(/"backup made"/g)?.length ?? 0) >= during);
    expect(server.log()).not.toContain("no backup was made");
    for (const name of archivesIn(backups))
      expect((await run("backup", "--verify", join(backups, name))).code).toBe(0);
  }, 300_000);

  test("says so where no server runs, and signals no other process that has its id", async () => {
    const server = await start();
    await server.kill();
    const other = Bun.spawn(["sleep", "60"]);
    writeFileSync(join(server.data, "server.pid"), `${other.pid}\nhttp://127.0.0.1:1\n`);
    const { code, text } = await server.reload();
    expect([code, other.exitCode]).toEqual([5, null]);
    expect(text).toContain(`no server that runs here uses ${server.data}.`);
    other.kill();
    await other.exited;
  }, 300_000);
});

test("a node refuses a schedule of backups, and a change that needs a restart is not shown as if it were in force", async () => {
  const database = { url: "postgres://roster@db.example/roster", connections: 4 };
  const config = testConfig({ data: join(folder, "node"), database, logLevel: "silent" });
  const describe = (callsAtOnce: string) =>
    config.described.map((one) => ({
      ...one,
      value:
        one.name === "callsAtOnce" ? callsAtOnce : one.name === "logLevel" ? "warn" : one.value,
    }));
  let next: Config = {
    ...config,
    backup: { ...config.backup, everyMs: 1000 },
    described: describe("7"),
  };
  const { live, reload } = openLiveSettings(
    config,
    () => next,
    silentAround(() => new Date()),
  );
  expect(await reload()).toMatchObject({
    changed: [],
    fault: expect.stringContaining("backup.every"),
  });
  expect(live()).toBe(config);
  next = { ...next, backup: config.backup };
  for (const changed of [["logLevel"], []])
    expect(await reload()).toMatchObject({ changed, restart: ["callsAtOnce"] });
  const shown = new Map(live().described.map(({ name, value }) => [name, value]));
  expect([shown.get("logLevel"), shown.get("callsAtOnce")]).toEqual(["warn", "256"]);
});

test("a provider that is added while a server runs is asked for sign-ins, with its own secret and address", async () => {
  const issuer = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: ({ url }) => {
      const { origin } = new URL(url);
      const endpoints = ["authorization", "token", "jwks", "userinfo"];
      const named = endpoints.map((name) => [
        name === "jwks" ? "jwks_uri" : `${name}_endpoint`,
        `${origin}/${name}`,
      ]);
      return Response.json({ issuer: origin, ...Object.fromEntries(named) });
    },
  });
  const data = join(folder, "library");
  const config = testConfig({ data });
  let live: LiveSettings = config;
  const appliance = await openAppliance(config, {
    ...silentAround(() => new Date()),
    live: () => live,
  });
  try {
    const { signIn } = appliance;
    await expect(signIn.startProvider("house", "/")).rejects.toThrow("no provider");
    // The library is opened for no provider.
    await signIn.askLibrary("/ok", { headers: {} });
    const protocol = { kind: "oidc", issuer: issuer.url.origin, clientId: "roster" } as const;
    const house = { id: "house", name: "House", domains: ["example.com"], administrators: false };
    const terms = { plan: "free", planClaim: undefined, plans: {} } as const;
    const added = { ...house, ...terms, protocol: { ...protocol, clientSecret: "of-the-house" } };
    live = { ...config, signIn: { providers: [added] } };
    const { location } = await signIn.startProvider("house", "/");
    expect(location).toStartWith(`${issuer.url.origin}/authorization?`);
    live = config;
    await expect(signIn.startProvider("house", "/")).rejects.toThrow("no provider");
  } finally {
    await appliance.close();
    await issuer.stop(true);
  }
}, 300_000);
