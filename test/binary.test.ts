/** What only the compiled file can show; test/journeys/ has the rest. `scripts/build` makes it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestProgram } from "../src/ingest/program-digest.ts";
import { type Desk, executable, isBuilt, openDesk, type RunningServer } from "./journeys/desk.ts";

describe.skipIf(!isBuilt)("the executable", () => {
  let desk: Desk;
  let server: RunningServer;
  const at = (name: string) => join(desk.folder, name);

  beforeAll(async () => {
    desk = openDesk();
    // Code and settings that lie in the folder must not run or count.
    writeFileSync(at(".env"), "ROSTER_PORT=1\nROSTER_NONSENSE=1\n");
    writeFileSync(at("bunfig.toml"), 'preload = ["./evil.ts"]\n');
    writeFileSync(at("evil.ts"), 'require("node:fs").writeFileSync("evil-ran", "");\n');
    server = await desk.serve("--port", "0");
  });
  afterAll(() => desk.clear());

  test("a first start in an empty folder prints the key once, and ignores .env and bunfig.toml", () => {
    const [key = ""] = server.printed("key").split(" ");
    expect(key).toMatch(/^rst_[0-9A-Za-z]{49}$/);
    expect(server.output().split(key).length - 1).toBeLessThanOrEqual(2);
    expect(existsSync(at("evil-ran"))).toBe(false);
    expect(statSync(at("roster-data")).mode & 0o077).toBe(0);
  });

  test("sign-in is in the file: the first link is printed, an assistant registers and is sent to sign in", async () => {
    expect(server.output()).toMatch(/\/set-up\?token=[0-9A-Za-z]{43} /);
    const redirect = "http://127.0.0.1:43119/callback";
    const registered = await fetch(`${server.address}/oauth2/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_name: "Test", redirect_uris: [redirect] }),
    });
    const { client_id: id } = (await registered.json()) as { client_id: string };
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: id, redirect_uri: redirect, state: "x" },
      ...{ code_challenge: "a".repeat(43), code_challenge_method: "S256" },
    });
    const authorize = `${server.address}/oauth2/authorize?${query}`;
    const { headers } = await fetch(authorize, { redirect: "manual" });
    expect(headers.get("location")).toStartWith(`${server.address}/sign-in?`);
  });

  test("a second server on the same folder is refused in one line", async () => {
    const { exitCode, stderr } = await desk.roster("serve", "--port", "0");
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining("is served by another Roster")]);
  });

  test("a port in use and a folder that cannot be made are one line and exit code 5", async () => {
    const { port } = new URL(server.address);
    const other = ["serve", "--data", "other", "--no-demo", "--port"];
    const inUse = await desk.roster(...other, port);
    expect([inUse.exitCode, inUse.stderr]).toEqual([5, expect.stringContaining("--port")]);
    const nowhere = await desk.roster(...other, "0", "--host", "nowhere.invalid");
    expect([nowhere.exitCode, nowhere.stderr]).toEqual([
      5,
      expect.stringMatching(/"fatal",.*"msg":"cannot listen on nowhere\.invalid .*--host"\}$/m),
    ]);
    expect(nowhere.stderr).not.toContain("    at ");
    writeFileSync(at("file"), "");
    const below = await desk.roster("serve", "--data", "file/below");
    expect([below.exitCode, below.stderr.split("\n").length]).toEqual([5, 2]);
    expect(below.stderr).toContain("file/below");
  });

  test("a long result reaches a slow reader whole, and a reader that goes away is no fault", async () => {
    const whole = (await desk.roster("--licenses")).stdout;
    expect(whole.length).toBeGreaterThan(65_536);
    for (const name of ["elysia", "GeoNames", "linguist", "MIT License"]) {
      expect(whole.toLowerCase()).toContain(name.toLowerCase());
    }
    const slowly = await desk.shell("./roster --licenses | { sleep 0.5; wc -c; }");
    expect(Number(slowly.stdout)).toBe(Buffer.byteLength(whole));
    const first = await desk.shell("./roster --licenses | head -n 1");
    expect([first.exitCode, first.stderr]).toEqual([0, ""]);
    const cut = await desk.shell("./roster export - | head -c 1 >/dev/null");
    expect(cut.stderr).toContain("closed by its reader");
  });

  test("an unattended first start takes a key and writes it where it is told", async () => {
    const chosen = (await desk.roster("key", "new")).stdout.trim();
    const unattended = openDesk({ ROSTER_ADMIN_KEY: chosen });
    try {
      const keyFile = join(unattended.folder, "key.txt");
      const flags = ["--port", "0", "--admin-key-file", keyFile, "--no-demo"];
      const { address, output } = await unattended.serve(...flags);
      const headers = { "x-api-key": chosen };
      expect((await fetch(`${address}/v1/users/nobody`, { headers })).status).toBe(404);
      expect(readFileSync(keyFile, "utf8").trim()).toBe(chosen);
      expect(statSync(keyFile).mode & 0o777).toBe(0o600);
      expect(output()).not.toContain(chosen);
    } finally {
      await unattended.clear();
    }
  });

  test("it has the digest of the sources, so that both judge alike and neither judges anew", () => {
    expect(readFileSync(executable).includes(digestProgram())).toBe(true);
  });

  test("nothing but the data folder is written", async () => {
    mkdirSync(at("clean"));
    await desk.shell("cd clean && ../roster --version");
    expect(readdirSync(at("clean"))).toEqual([]);
  });
});
