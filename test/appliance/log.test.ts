/** The log of a whole run of the real program, where no terminal is: one JSON object a line, and no secret. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { createKey } from "../../src/accounts/accounts.ts";
import { program } from "../faults/server-process.ts";
import { misspell } from "../random.ts";
import { makeFolder } from "../temporary-folder.ts";

const root = join(import.meta.dir, "../..");
const folder = makeFolder("log");

function spawn(argv: readonly string[], env: Record<string, string> = {}) {
  return Bun.spawn([...program, "serve", ...argv], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
}

const parseLines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("says what happens from start to stop, and nothing that must stay secret", async () => {
  const key = createKey();
  const child = spawn(["--data", join(folder, "data"), "--port", "0", "--no-demo"], {
    ROSTER_ADMIN_KEY: key,
  });
  let greeting = "";
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  while (!/^next /m.test(greeting)) {
    const { value, done } = await reader.read();
    if (done) break;
    greeting += value;
  }
  const address = /^address +(\S+)$/m.exec(greeting)?.[1] ?? "";
  const link = /token=(\w+)/.exec(greeting)?.[1] ?? "";
  expect(link).not.toBe("");
  const password = "correct horse battery staple";
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const joining = { traceparent, "x-request-id": "f81d4fae-7dec/11d0:a765" };
  const unfit = { traceparent: `${traceparent}"`, "x-request-id": `"}{"msg":"forged` };
  const calls: [string, RequestInit?][] = [
    ["/v1/users/nobody", { headers: { authorization: `Bearer ${key}`, ...joining } }],
    ["/v1/users/nobody", { headers: { "x-api-key": misspell(key), ...unfit } }],
    [`/v1/users/nobody?key=${key}`],
    [`/set-up?token=${link}`],
    [`/sign-in?password=${encodeURIComponent(password)}`],
    ["/mcp", { method: "POST", body: "{", headers: { authorization: `Bearer ${key}` } }],
    ["/livez"],
  ];
  for (const [path, init] of calls) await (await fetch(`${address}${path}`, init)).text();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  const text = await new Response(child.stderr).text();
  for (const secret of [key, key.slice(4), link, password, encodeURIComponent(password)]) {
    expect(text).not.toContain(secret);
  }
  const lines = parseLines(text);
  const started = lines.find(({ msg }) => msg === "started");
  expect(started).toMatchObject({ level: "info", address, version: expect.any(String) });
  expect(lines.at(-1)).toMatchObject({ level: "info", msg: "stopped" });
  const told = lines.filter(({ msg }) => msg === "call");
  // Health checks are logged at level debug only.
  expect(told).toHaveLength(calls.length - 1);
  expect(told[0]).toMatchObject({
    method: "GET",
    route: "/v1/users/:login",
    operation: "get_developer",
    status: 404,
    client: "127.0.0.1",
    ms: expect.any(Number),
    bytes: expect.any(Number),
    key: expect.any(String),
    requestId: expect.stringMatching(/^req_/),
    traceparent,
    clientRequestId: "f81d4fae-7dec/11d0:a765",
  });
  expect(told[1]).toMatchObject({ status: 401 });
  for (const name of ["traceparent", "clientRequestId"]) expect(told[1]).not.toContainKey(name);
}, 300_000);

test("is all there is where both streams are kept together, as in a journal: no plain line, no key, no link", async () => {
  const [file, data] = [join(folder, "journal"), join(folder, "logged")];
  const line = `exec "$0" "$@" > '${file}' 2>&1`;
  const run = (...args: string[]) =>
    Bun.spawn(["sh", "-c", line, ...program, ...args], { cwd: root });
  const child = run("serve", "--data", data, "--port", "0", "--no-demo");
  const text = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
  while (!text().includes("account is made")) await Bun.sleep(10);
  const address = /"address":"([^"]+)"/.exec(text())?.[1];
  // Runs the commands that the log names, while the folder is served.
  const told = (...args: string[]) =>
    Bun.spawnSync([...program, ...args, "--data", data], { cwd: root })
      .stdout.toString()
      .trim();
  const link = told("account", "reset", "admin@localhost");
  expect(link).toStartWith(`${address}/reset-password?token=`);
  expect(await (await fetch(link)).text()).toContain("New password");
  const headers = { "x-api-key": told("key", "recover") };
  expect((await fetch(`${address}/v1/users/nobody`, { headers })).status).toBe(404);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  const lines = parseLines(text());
  expect(lines.map(({ level }) => level)).not.toContain(undefined);
  expect(lines.map(({ msg }) => msg)).toContainEqual(
    expect.stringContaining("roster account reset admin@localhost"),
  );
  expect(text()).not.toMatch(/rst_|token=/);
}, 300_000);

test("says what kept a server from starting", async () => {
  const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  try {
    const child = spawn([
      "--data",
      join(folder, "other"),
      "--port",
      String(taken.port),
      "--no-demo",
    ]);
    expect(await child.exited).toBe(5);
    const last = parseLines(await new Response(child.stderr).text()).at(-1);
    expect(last).toMatchObject({
      level: "fatal",
      msg: expect.stringContaining(`cannot listen on 127.0.0.1 port ${taken.port}`),
    });
  } finally {
    await taken.stop(true);
  }
}, 300_000);

test("goes to a file that SIGHUP opens anew, and loses no line when it is rotated", async () => {
  const [file, moved] = [join(folder, "roster.log"), join(folder, "roster.log.1")];
  const key = createKey();
  const child = spawn(
    ["--data", join(folder, "filed"), "--port", "0", "--no-demo", "--log-file", file],
    { ROSTER_ADMIN_KEY: key },
  );
  const address = () =>
    existsSync(file) && /"address":"([^"]+)".*"started"/.exec(readFileSync(file, "utf8"))?.[1];
  while (!address()) await Bun.sleep(10);
  const at = address();
  const ask = async (login: string) => {
    const headers = { "x-api-key": key };
    await (await fetch(`${at}/v1/users/${login}`, { headers })).text();
  };
  await ask("first");
  renameSync(file, moved);
  await ask("second");
  child.kill("SIGHUP");
  while (!existsSync(file)) await Bun.sleep(10);
  await ask("third");
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  const calls = (path: string) =>
    parseLines(readFileSync(path, "utf8")).filter(({ msg }) => msg === "call").length;
  expect([calls(moved), calls(file)]).toEqual([2, 1]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8") + readFileSync(moved, "utf8")).not.toContain(key);
  expect(await new Response(child.stderr).text()).toBe("");
}, 300_000);

test("that cannot be written keeps a server from starting, in one line", async () => {
  const file = join(folder, "nowhere", "roster.log");
  const child = spawn(["--data", join(folder, "unfiled"), "--port", "0", "--log-file", file]);
  expect(await child.exited).toBe(2);
  const lines = parseLines(await new Response(child.stderr).text());
  expect(lines).toEqual([
    expect.objectContaining({ level: "fatal", msg: expect.stringContaining(file) }),
  ]);
}, 300_000);

test.skipIf(!existsSync("/dev/full"))(
  "that takes nothing any more does not keep a server from stopping",
  async () => {
    const child = spawn(
      ["--data", join(folder, "full"), "--port", "0", "--no-demo", "--log-file", "/dev/full"],
      { ROSTER_ADMIN_KEY: createKey() },
    );
    try {
      const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      let greeting = "";
      while (!/^next /m.test(greeting)) greeting += (await reader.read()).value;
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    } finally {
      child.kill("SIGKILL");
    }
    const lines = parseLines(await new Response(child.stderr).text());
    expect(lines).toEqual([
      expect.objectContaining({ file: "/dev/full", msg: "the log cannot be written" }),
    ]);
  },
  300_000,
);
