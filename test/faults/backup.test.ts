/**
 * A backup that is killed, stopped or out of room: the archive is the old one, the new one or none, always whole; the
 * next backup removes what was left; the folder and the server beside it notice nothing.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { openArchive, unpackArchive } from "../../src/backup/backup.ts";
import { isLong } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import {
  endServersAfterEach,
  freePort,
  program,
  type ServerProcess,
  smallFiles,
  startServer,
} from "./server-process.ts";

const newFolder = temporaryFolders();
endServersAfterEach();
const random = createRandom(drawSeed("backups killed"));
const kills = isLong ? 8 : 3;
const ballastMebibytes = isLong ? 24 : 12;

/** Enough bytes for a kill to fall between two steps. */
function addBallast(data: string): void {
  const sqlite = new Database(join(data, "pool.db"));
  sqlite.run("CREATE TABLE ballast (bytes BLOB)");
  const insert = sqlite.query("INSERT INTO ballast VALUES (randomblob(1048576))");
  for (let count = 0; count < ballastMebibytes; count++) insert.run();
  sqlite.close();
}

async function openServedFolder() {
  const parent = newFolder();
  const data = join(parent, "data");
  const server = await startServer(data, await freePort());
  addBallast(data);
  return { parent, data, server, target: join(parent, "a.tar.zst") };
}

const backUp = (
  data: string,
  target: string,
  under: readonly string[] = [],
  ...flags: readonly string[]
) =>
  Bun.spawn([...under, ...program, "backup", target, "--data", data, ...flags], {
    stdout: "pipe",
    stderr: "pipe",
  });

const listDrafts = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("."));

/** A kill before the first draft would prove nothing. */
async function untilStaged(folder: string, child?: Bun.Subprocess): Promise<void> {
  const isStaging = () => listDrafts(folder).length > 0 || child?.exitCode === 0;
  while (!isStaging()) await Bun.sleep(1);
}

async function expectWhole(file: string): Promise<void> {
  const folder = newFolder();
  await unpackArchive(file, folder);
  rmSync(folder, { recursive: true });
}

async function expectUnharmed(data: string, server: ServerProcess): Promise<void> {
  const key = (await Bun.file(`${data}.key`).text()).trim();
  const headers = { "x-api-key": key };
  expect((await fetch(`${server.address}/v1/users/nobody`, { headers })).status).toBe(404);
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  for (const name of ["control.db", "pool.db"]) {
    const sqlite = new Database(join(data, name), { readonly: true });
    expect(sqlite.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    sqlite.close();
  }
}

test(`kill -9 during ${kills} backups: the archive is whole or absent, the server unharmed`, async () => {
  const { parent, data, server, target } = await openServedFolder();
  let finished = 0;
  let madeAt = "";
  for (let kill = 0; kill < kills; kill++) {
    const child = backUp(data, target);
    await untilStaged(parent, child);
    await Bun.sleep(random() * (isLong ? 500 : 250));
    child.kill("SIGKILL");
    await child.exited;
    if (!existsSync(target)) continue;
    await expectWhole(target);
    const manifest = await openArchive(target);
    if (manifest.madeAt !== madeAt) finished += 1;
    madeAt = manifest.madeAt;
  }
  await expectUnharmed(data, server);
  expect(await backUp(data, target).exited).toBe(0);
  await expectWhole(target);
  expect(listDrafts(parent)).toEqual([]);
  expect(listDrafts(data)).toEqual([]);
  await server.kill();
  process.stdout.write(`${kills} kills, ${finished} of them too late\n`);
}, 300_000);

test(`kill -9 during ${kills} encrypted backups: the archive is whole or absent`, async () => {
  const { parent, data, server, target } = await openServedFolder();
  const [identity, keyFile] = [await generateIdentity(), join(parent, "key.txt")];
  writeFileSync(keyFile, `${identity}\n`);
  const recipient = await identityToRecipient(identity);
  const start = () => {
    rmSync(target, { force: true });
    return backUp(data, target, [], "--recipient", recipient);
  };
  const expectOpened = async () => {
    const folder = newFolder();
    await unpackArchive(target, folder, { identity: keyFile });
    rmSync(folder, { recursive: true });
  };
  for (let kill = 0; kill < kills; kill++) {
    const child = start();
    await untilStaged(parent, child);
    await Bun.sleep(random() * (isLong ? 1000 : 500));
    child.kill("SIGKILL");
    await child.exited;
    if (existsSync(target)) await expectOpened();
  }
  expect(await start().exited).toBe(0);
  await expectOpened();
  expect(readdirSync(parent).filter((name) => name.startsWith("."))).toEqual([]);
  await expectUnharmed(data, server);
  await server.kill();
}, 300_000);

test("Ctrl-C leaves nothing, and says so", async () => {
  const { parent, data, server, target } = await openServedFolder();
  let child: ReturnType<typeof backUp>;
  do {
    // A backup that was finished before the signal is made again.
    rmSync(target, { force: true });
    child = backUp(data, target);
    await untilStaged(parent, child);
    child.kill("SIGINT");
  } while ((await child.exited) === 0);
  expect(child.exitCode).toBe(130);
  expect(await new Response(child.stderr).text()).toContain("Interrupted");
  expect(listDrafts(parent)).toEqual([]);
  expect(existsSync(target)).toBe(false);
  await expectUnharmed(data, server);
  await server.kill();
}, 300_000);

test("a disk that refuses to go on: one line, the old archive stays, nothing is left", async () => {
  const { parent, data, server, target } = await openServedFolder();
  expect(await backUp(data, target).exited).toBe(0);
  const { madeAt } = await openArchive(target);
  const blocks = ballastMebibytes * 1024;
  const child = backUp(data, target, smallFiles(blocks));
  expect(await child.exited).toBe(5);
  const said = await new Response(child.stderr).text();
  expect(said).toContain(target);
  expect(said).not.toContain("    at ");
  expect((await openArchive(target)).madeAt).toBe(madeAt);
  expect(listDrafts(parent)).toEqual([]);
  await expectUnharmed(data, server);
  await server.kill();
}, 300_000);
