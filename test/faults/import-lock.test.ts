/** One import at a time: the second is refused before it reads anything, and the server goes on beside the first. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { readOutput } from "../child-output.ts";
import { ada, ben, inventRepository } from "../ingest/git/invented-repository.ts";
import { openCommandLine } from "../interfaces/cli/command-line.ts";
import { endServersAfterEach, freePort, program, startServer } from "./server-process.ts";

endServersAfterEach();

let holder: Bun.Subprocess | undefined;

const line = openCommandLine();
const data = ["--data", line.folder];
const at = (name: string) => join(line.folder, "..", name);
inventRepository(at("one"), [{ author: ada }, { author: ben }]);
inventRepository(at("two"), [{ author: ada }]);
writeFileSync(at("people.jsonl"), `${JSON.stringify({ login: "cara", source: "hr" })}\n`);
expect((await line.run("ingest", "git", at("one"), ...data)).code).toBe(0);
afterEach(endHolder);
afterAll(() => line.close());

async function endHolder(): Promise<void> {
  holder?.kill("SIGKILL");
  await holder?.exited;
  holder = undefined;
}

/** Starts an ingest whose git waits, once it reads the log, until the ingest is killed. */
async function holdTheLock(): Promise<number> {
  const tools = at("tools");
  const begun = join(tools, "begun");
  mkdirSync(tools, { recursive: true });
  rmSync(begun, { force: true });
  const wait = `case " $* " in *" log "*) echo > ${begun}; while kill -0 $PPID; do sleep 0.1; done;; esac`;
  const real = Bun.which("git");
  writeFileSync(join(tools, "git"), `#!/bin/sh\n${wait}\nexec ${real} "$@"\n`, { mode: 0o755 });
  const child = Bun.spawn([...program, "ingest", "git", at("two"), ...data], {
    env: { ...process.env, PATH: `${tools}:${process.env["PATH"]}` },
    stdout: "ignore",
    stderr: "ignore",
  });
  holder = child;
  while (!existsSync(begun)) {
    if (child.exitCode !== null) throw new Error("the ingest ended by itself");
    await Bun.sleep(10);
  }
  return child.pid;
}

test("whatever imports is refused at once, with who holds the lock, since when and what it does", async () => {
  const pid = await holdTheLock();
  const [note = ""] = readFileSync(join(line.folder, "pool.db.importing-by"), "utf8").split("\n");
  expect(note).toMatch(
    new RegExp(
      `^an ingest of git histories, process ${pid}, since \\d{4}-\\d\\d-\\d\\dT[0-9:]{8}Z$`,
    ),
  );
  const pool = openSqlitePool(join(line.folder, "pool.db"), { now: () => new Date() });
  // For pages, which show what runs wherever it was started.
  expect(await pool.importUnderWay()).toMatchObject({ holder: note });
  await pool.close();
  const [ownerBefore] = (await line.json("ingest", "list", ...data)) as { name: string }[];
  const commands = [
    ["ingest", "git", at("one")],
    ["ingest", "git"],
    ["ingest", "forget", "one"],
    ["import", at("people.jsonl")],
    ["rescore"],
    ["identity", "merge", "ada@example.com", "ben@example.org"],
    ["identity", "split", "ada@example.com", "ben@example.org"],
  ];
  // All at the same time, since each waits two seconds for the lock.
  const ran = commands.map((command) => {
    const child = Bun.spawn([...program, ...command, ...data], { stdout: "pipe", stderr: "pipe" });
    return readOutput(child);
  });
  for (const [which, { code, err }] of (await Promise.all(ran)).entries()) {
    expect([commands[which], code]).toEqual([commands[which], 5]);
    expect(err).toContain(`Another import is running (${note.trim()}).`);
    expect(err).toContain("wait until it ends, or stop it");
  }
  // A decision that would not be shown is not recorded either, and nothing was forgotten.
  expect(await line.json("identity", "list", "--decisions", ...data)).toEqual([]);
  expect(await line.json("ingest", "list", ...data)).toMatchObject([ownerBefore]);
  // Commands that only read still work.
  expect((await line.run("rescore", "--diff", ...data)).code).toBe(0);
}, 300_000);

test("a holder that is killed blocks nobody, and its note is not believed", async () => {
  await holdTheLock();
  await endHolder();
  expect(existsSync(join(line.folder, "pool.db.importing-by"))).toBe(true);
  const pool = openSqlitePool(join(line.folder, "pool.db"), { now: () => new Date() });
  expect(await pool.importUnderWay()).toBeUndefined();
  expect((await line.run("ingest", "git", at("one"), ...data)).code).toBe(0);
  await pool.close();
}, 300_000);

test("the server answers and people are erased while an ingest holds the lock", async () => {
  await holdTheLock();
  const server = await startServer(line.folder, await freePort());
  const key = readFileSync(`${line.folder}.key`, "utf8").trim();
  const get = async (login: string) => {
    const path = `${server.address}/v1/users/${login}`;
    return (await fetch(path, { headers: { "X-Api-Key": key } })).status;
  };
  const [{ login }] = (await line.json("identity", "list", "ben@example.org", ...data)) as [
    { login: string },
  ];
  expect(await get(login)).toBe(200);
  expect((await line.run("forget", login, ...data)).code).toBe(0);
  expect(await get(login)).toBe(404);
  await server.kill();
}, 300_000);
