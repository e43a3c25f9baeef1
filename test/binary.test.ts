/** What only the compiled file can show; test/journeys/ has the rest. `scripts/build` makes it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestProgram } from "../src/ingest/program-digest.ts";

const binary = join(import.meta.dir, "../dist/roster");
const isBuilt = existsSync(binary);

interface Started {
  readonly address: string;
  readonly output: () => string;
  stop(): Promise<number>;
}

describe.skipIf(!isBuilt)(
  "the executable (skipped without dist/roster: scripts/build makes it)",
  () => {
    let folder: string;
    let first: Started;
    let key: string;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "roster-binary-"));
      // Code and settings that lie in the folder must not run or count.
      writeFileSync(join(folder, ".env"), "ROSTER_PORT=1\nROSTER_NONSENSE=1\n");
      writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
      writeFileSync(join(folder, "evil.ts"), 'require("node:fs").writeFileSync("evil-ran", "");\n');
      first = await start(folder);
      key = /rst_[0-9A-Za-z]{49}/.exec(first.output())?.[0] ?? "";
    });
    afterAll(async () => {
      await first.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const run = (...argv: string[]) =>
      Bun.spawnSync([binary, ...argv], { cwd: folder, env: {}, timeout: 120_000 });

    test("a first start in an empty folder prints the key once, and ignores .env and bunfig.toml", () => {
      expect(key).not.toBe("");
      expect(first.output().split(key).length - 1).toBeLessThanOrEqual(2);
      expect(existsSync(join(folder, "evil-ran"))).toBe(false);
      expect(statSync(join(folder, "roster-data")).mode & 0o077).toBe(0);
    });

    test("sign-in is in the file: the first link is printed, an assistant registers and is sent to sign in", async () => {
      expect(first.output()).toMatch(/\/set-up\?token=[0-9A-Za-z]{43} /);
      const redirect = "http://127.0.0.1:43119/callback";
      const registered = await fetch(`${first.address}/oauth2/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ client_name: "Test", redirect_uris: [redirect] }),
      });
      const { client_id: id } = (await registered.json()) as { client_id: string };
      const query = new URLSearchParams({
        ...{ response_type: "code", client_id: id, redirect_uri: redirect, state: "x" },
        ...{ code_challenge: "a".repeat(43), code_challenge_method: "S256" },
      });
      const asked = await fetch(`${first.address}/oauth2/authorize?${query}`, {
        redirect: "manual",
      });
      expect(asked.headers.get("location")).toStartWith(`${first.address}/sign-in?`);
    });

    test("a second server on the same folder is refused in one line", () => {
      const { exitCode, stderr } = run("serve", "--port", "0");
      expect(exitCode).toBe(5);
      expect(stderr.toString()).toContain("is served by another Roster");
    });

    test("a port in use and a folder that cannot be made are one line and exit code 5", () => {
      const { port } = new URL(first.address);
      const inUse = run("serve", "--data", "other", "--no-demo", "--port", port);
      expect([inUse.exitCode, inUse.stderr.toString()]).toEqual([
        5,
        expect.stringContaining("--port"),
      ]);
      const nowhere = run(
        ...["serve", "--data", "other", "--no-demo", "--port", "0", "--host", "nowhere.invalid"],
      );
      expect([nowhere.exitCode, nowhere.stderr.toString()]).toEqual([
        5,
        expect.stringMatching(/"fatal",.*"msg":"cannot listen on nowhere\.invalid .*--host"\}$/m),
      ]);
      expect(nowhere.stderr.toString()).not.toContain("    at ");
      writeFileSync(join(folder, "file"), "");
      const below = run("serve", "--data", "file/below");
      expect([below.exitCode, below.stderr.toString().split("\n").length]).toEqual([5, 2]);
      expect(below.stderr.toString()).toContain("file/below");
    });

    test("a long result reaches a slow reader whole, and a reader that goes away is no fault", () => {
      const shell = (line: string) =>
        Bun.spawnSync(["sh", "-c", line, binary], { cwd: folder, env: { PATH: "/usr/bin:/bin" } });
      const whole = run("--licenses").stdout.length;
      expect(whole).toBeGreaterThan(65_536);
      const slowly = shell('"$0" --licenses | { sleep 0.5; wc -c; }');
      expect(Number(slowly.stdout.toString())).toBe(whole);
      const first = shell('"$0" --licenses | head -n 1');
      expect([first.exitCode, first.stderr.toString()]).toEqual([0, ""]);
      const cut = shell('"$0" export - | head -c 1 >/dev/null');
      expect(cut.stderr.toString()).toContain("closed by its reader");
    });

    test("an unattended first start takes a key and writes it where it is told", async () => {
      const data = join(folder, "unattended");
      const keyFile = join(folder, "key.txt");
      const chosen = run("key", "new").stdout.toString().trim();
      const server = await start(
        folder,
        ["--data", data, "--admin-key-file", keyFile, "--no-demo"],
        { ROSTER_ADMIN_KEY: chosen },
      );
      const response = await fetch(`${server.address}/v1/users/nobody`, {
        headers: { "x-api-key": chosen },
      });
      expect(response.status).toBe(404);
      expect(readFileSync(keyFile, "utf8").trim()).toBe(chosen);
      expect(statSync(keyFile).mode & 0o777).toBe(0o600);
      expect(server.output()).not.toContain(chosen);
      await server.stop();
    });

    test("it has the digest of the sources, so that both judge alike and neither judges anew", () => {
      expect(readFileSync(binary).includes(digestProgram())).toBe(true);
    });

    test("licences are in the file", () => {
      const text = run("--licenses").stdout.toString();
      for (const name of ["elysia", "GeoNames", "linguist", "MIT License"]) {
        expect(text.toLowerCase()).toContain(name.toLowerCase());
      }
    });

    test("nothing but the data folder is written", () => {
      mkdirSync(join(folder, "clean"));
      Bun.spawnSync([binary, "--version"], { cwd: join(folder, "clean"), env: {} });
      expect(readdirSync(join(folder, "clean"))).toEqual([]);
    });
  },
);

async function start(
  cwd: string,
  flags: string[] = [],
  env: Record<string, string> = {},
): Promise<Started> {
  const child = Bun.spawn([binary, "serve", "--port", "0", ...flags], {
    cwd,
    env,
    stdout: "pipe",
    stderr: "pipe",
  });
  // Each stream by itself: its pieces may end within a line.
  const said = { stdout: "", stderr: "" };
  const drain = async (stream: "stdout" | "stderr") => {
    const decoder = new TextDecoder();
    for await (const chunk of child[stream])
      said[stream] += decoder.decode(chunk, { stream: true });
  };
  const drained = Promise.all([drain("stdout"), drain("stderr")]);
  const output = () => said.stdout + said.stderr;
  const address = () => /^address +(\S+)$/m.exec(said.stdout)?.[1];
  while (!address() || !said.stderr.includes('"msg":"started"')) {
    if (child.exitCode !== null) throw new Error(`it did not start: ${output()}`);
    await Bun.sleep(5);
  }
  return {
    address: address() as string,
    output,
    stop: async () => {
      child.kill("SIGTERM");
      const code = await child.exited;
      await drained;
      return code;
    },
  };
}
