/** The real program on a disk that is too small, or that somebody else fills. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { person } from "../pool/person.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { createCaller, openOffice } from "./office.ts";
import { openOracle } from "./oracle.ts";
import {
  endServersAfterEach,
  freePort,
  program,
  smallFiles,
  startServer,
} from "./server-process.ts";
import { canMount, createSmallDisks } from "./small-disk.ts";

const newFolder = temporaryFolders();
const newDisk = createSmallDisks();
endServersAfterEach();
const onDisk = test.skipIf(!canMount);
const skipped = "(skipped without the right to mount)";
const email = "caller@example.com";

/** The shipped fictitious people, as a file of anybody's. */
function writePeople(path: string, count = Number.POSITIVE_INFINITY): void {
  const packed = readFileSync(join(import.meta.dir, "../../seed/demo.jsonl.zst"));
  const lines = Bun.zstdDecompressSync(packed).toString("utf8").trimEnd().split("\n");
  const text = lines.slice(0, count).join("\n").replaceAll('"source":"demo"', '"source":"made"');
  writeFileSync(path, `${text}\n`);
}

function startCommand(...args: string[]) {
  const child = Bun.spawn([...program, ...args], { stdout: "ignore", stderr: "pipe" });
  return { child, said: new Response(child.stderr).text() };
}

async function runCommand(...args: string[]) {
  const { child, said } = startCommand(...args);
  return { said: await said, code: await child.exited };
}

/** Expects a message without a stack. */
function expectWords(said: string, ...words: string[]): void {
  for (const each of words) expect(said).toContain(each);
  expect(said).not.toMatch(/^\s+at /m);
  expect(said).not.toContain("SQLiteError");
}

const ask = (address: string, path: string, key = "") =>
  fetch(`${address}${path}`, { headers: { "x-api-key": key } });
const readReadiness = async (address: string) => {
  const response = await ask(address, "/readyz");
  return { status: response.status, text: await response.text() };
};

onDisk(
  `an import that will not fit is refused with the figures, early, and leaves nothing ${skipped}`,
  async () => {
    const disk = newDisk(44);
    const folder = join(disk.folder, "data");
    const server = await startServer(folder, await freePort());
    const key = await createCaller(folder, email);
    const file = join(newFolder(), "people.jsonl");
    writePeople(file);
    const { said, code } = await runCommand("import", file, "--data", folder);
    expect(code).toBe(5);
    expectWords(said, `The disk of ${folder} has `, "MB free; this needs ", "data is unchanged");
    expect(statSync(join(folder, "pool.db")).size).toBeLessThan(1e6);
    expect((await ask(server.address, "/v1/users/nobody", key)).status).toBe(404);
    expect((await readReadiness(server.address)).status).toBe(200);
    const few = join(newFolder(), "few.jsonl");
    writePeople(few, 100);
    expect((await runCommand("import", few, "--data", folder)).code).toBe(0);
    await server.kill();
  },
  300_000,
);

onDisk(
  `a disk that fills during an import: it ends in words, space is given back, the server recovers by itself and every count is exact ${skipped}`,
  async () => {
    const disk = newDisk(96);
    const folder = join(disk.folder, "data");
    const server = await startServer(folder, await freePort());
    const key = await createCaller(folder, email);
    const file = join(newFolder(), "people.jsonl");
    writePeople(file);
    const oracle = openOracle();
    const statuses = new Map<number, number>();
    const call = async () => {
      oracle.sent(email);
      const response = await ask(server.address, "/v1/users/nobody", key);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const { meta } = (await response.json()) as {
        meta: { quota: { used: number; limit: number; month: string } };
      };
      if (response.status === 404) oracle.acknowledged(email, meta.quota);
      return response.status;
    };
    const { child, said } = startCommand("import", file, "--data", folder);
    while (statSync(join(folder, "pool.db")).size < 4e6) await call();
    disk.fill();
    while (child.exitCode === null) await call();
    expect(child.exitCode).toBe(5);
    expectWords(await said, folder, "data is unchanged");
    disk.fill();
    // A large log is reused from its beginning and needs no space, so it is truncated, and that space filled.
    while ((await call()) !== 500) {
      const control = new Database(join(folder, "control.db"));
      control.run("PRAGMA wal_checkpoint(TRUNCATE)");
      control.close();
      disk.fill();
    }
    const readiness = await readReadiness(server.address);
    expect([readiness.status, readiness.text.includes("the disk is full")]).toEqual([503, true]);

    disk.free();
    while ((await call()) !== 404);
    while ((await readReadiness(server.address)).status !== 200) await Bun.sleep(50);
    expect([...statuses.keys()].sort()).toEqual([404, 500]);
    const office = await openOffice(folder);
    oracle.compare(email, await office.usedBy(email));
    expect(oracle.violations).toEqual([]);
    // Not only within bounds: a call that was not answered was not counted.
    expect(await office.countCalls(email)).toBe(oracle.totals().acknowledged);
    office.close();
    await server.kill();

    // What the server does once a minute.
    const pool = openSqlitePool(join(folder, "pool.db"), { now: () => new Date() });
    while (await pool.reclaim());
    expect(await pool.size()).toBe(0);
    await pool.close();
    expect(statSync(join(folder, "pool.db")).size).toBeLessThan(1e6);
  },
  300_000,
);

onDisk(
  `forget is refused in words on a disk that somebody else has filled, and works once there is room ${skipped}`,
  async () => {
    const disk = newDisk(100);
    const folder = join(disk.folder, "data");
    const file = join(newFolder(), "people.jsonl");
    writePeople(file, 400);
    const { login } = JSON.parse(readFileSync(file, "utf8").split("\n")[0] ?? "") as {
      login: string;
    };
    expect((await runCommand("import", file, "--data", folder)).code).toBe(0);
    const server = await startServer(folder, await freePort());
    const key = await createCaller(folder, email);
    disk.fill();
    const refused = await runCommand("forget", login, "--data", folder);
    expect(refused.code).toBe(5);
    expectWords(refused.said, `${join(folder, "pool.db")} cannot be written: its disk is full`);
    disk.free();
    expect((await ask(server.address, `/v1/users/${login}`, key)).status).toBe(200);
    expect((await runCommand("forget", login, "--data", folder)).code).toBe(0);
    expect((await ask(server.address, `/v1/users/${login}`, key)).status).toBe(404);
    await server.kill();
  },
  300_000,
);

onDisk(
  `an erasure hides a person on a full disk, says that it lacks room, and cleans its files once there is some ${skipped}`,
  async () => {
    const disk = newDisk(24);
    const path = join(disk.folder, "pool.db");
    const open = () => openSqlitePool(path, { now: () => new Date() });
    let pool = open();
    const load = await pool.beginImport("test");
    // Incompressible, so that the pool takes some MB.
    const bio = () => crypto.getRandomValues(new Uint8Array(60_000)).toBase64();
    const forgotten = bio();
    for (let n = 0; n < 30; n++) {
      await load.put([person({ login: `p${n}`, bio: n === 1 ? forgotten : bio() })]);
    }
    await load.commit();
    // Folds the log into the file.
    await pool.close();
    pool = open();
    expect(await pool.erasing.hide("p1")).toMatchObject({ developers: 1 });
    disk.fill();
    expect(await pool.findCards(["p1"])).toEqual([undefined]);
    expect(await pool.erasing.clean()).toMatch(/^The disk of .* this needs \d MB/);
    expect(await pool.erasing.unfinished()).toHaveLength(1);
    disk.free();
    expect(await pool.erasing.clean()).toBeUndefined();
    expect(readFileSync(path, "latin1")).not.toContain(forgotten.slice(100, 124));
    await pool.close();
  },
  300_000,
);

onDisk(
  `what cannot be written for want of space is named, without a stack ${skipped}`,
  async () => {
    const disk = newDisk(8);
    const folder = join(newFolder(), "data");
    const file = join(newFolder(), "people.jsonl");
    writePeople(file, 10);
    expect((await runCommand("import", file, "--data", folder)).code).toBe(0);
    const login = JSON.parse(readFileSync(file, "utf8").split("\n")[0] ?? "").login as string;
    disk.fill();
    const target = join(disk.folder, "copy.json");
    for (const args of [
      ["export", target, "--data", folder],
      ["person", "export", login, target, "--data", folder],
      ["serve", "--no-demo", "--port", "0", "--admin-key-file", target, "--data", folder],
      ["serve", "--no-demo", "--port", "0", "--data", target],
      ["import", file, "--data", target],
    ]) {
      const { said, code } = await runCommand(...args);
      expect(code).not.toBe(0);
      expectWords(said, target);
    }
    const { said, code } = await runCommand(
      "serve",
      "--host",
      "unix:/nowhere/roster.sock",
      "--data",
      folder,
    );
    expect(code).toBe(5);
    expectWords(said, "cannot listen on unix:/nowhere/roster.sock");
  },
  300_000,
);

test("an import that may write no more says which file, without a stack", async () => {
  const folder = join(newFolder(), "data");
  const file = join(newFolder(), "people.jsonl");
  writePeople(file, 300);
  const under = smallFiles(1000);
  const command = [...under, ...program, "import", file, "--data", folder];
  const { exitCode, stderr } = Bun.spawnSync(command);
  expect(exitCode).toBe(5);
  expectWords(stderr.toString(), `${join(folder, "pool.db")} cannot be read or written`);
  const { said, code } = await runCommand("import", file, "--data", folder);
  expect([code, said.includes("rejected")]).toEqual([0, false]);
}, 300_000);
