/** Push hooks of the real program: from a push to what a search finds, and beside a flood. */

import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { createCaller, openOffice } from "../faults/office.ts";
import { endServersAfterEach, freePort, startServer } from "../faults/server-process.ts";
import { inventRepository } from "../ingest/git/invented-repository.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import {
  fromGithub,
  fromPostReceive,
  githubPush,
  newSecret,
  type SentDelivery,
} from "./deliveries.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

/** Their logins are in their addresses. */
const ada = "Ada Example <1+ada@users.noreply.github.com>";
const ben = "Ben Sample <2+ben@users.noreply.github.com>";

const cleo = "Cleo Sample <3+cleo@users.noreply.github.com>";
const commits = [{ author: ada, files: { "queue.ts": "export const queue = [];\n" } }];
const salt = "c2FsdCBvZiBhIHRlc3Q";

/** A server that reads a folder of bare repositories once a year, and whose hook is on. */
async function openWorld() {
  const home = newFolder();
  const [folder, mirrors] = [join(home, "data"), join(home, "mirrors")];
  mkdirSync(mirrors);
  mkdirSync(folder);
  const repository = inventRepository(join(mirrors, "tool.git"), commits);
  const other = inventRepository(join(mirrors, "other.git"), commits);
  const source = ["[[sources]]", 'id = "bare"', 'kind = "folder"', `path = "${mirrors}"`];
  writeFileSync(join(folder, "roster.toml"), [...source, "everyHours = 8760", ""].join("\n"));
  const server = await startServer(folder, await freePort());
  const control = openSqliteControlStore(join(folder, "control.db"));
  const entry = { at: new Date(), actor: "test", subject: "bare", detail: {} } as const;
  await control.sources.setHook("bare", salt, { ...entry, action: "source.hook_on" });
  const key = await control.signIn.secret();
  await control.close();
  const secret = createHmac("sha256", key).update(`hook bare ${salt}`).digest("base64url");
  const send = async ({ headers, body }: SentDelivery, id = "bare") => {
    const response = await fetch(`${server.address}/hooks/${id}`, {
      method: "POST",
      headers,
      body,
    });
    await response.arrayBuffer();
    return response.status;
  };
  return { folder, server, repository, other, secret, send };
}

const ask = (address: string, key: string, path: string) =>
  fetch(`${address}/v1/${path}`, { headers: { "x-api-key": key } });

/** @returns the seconds that it took. */
async function waitUntil(isSo: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  for (const end = startedMs + 60_000; performance.now() < end; ) {
    if (await isSo()) return (performance.now() - startedMs) / 1000;
    await Bun.sleep(100);
  }
  throw new Error("this never came");
}

test("a push is found within ten seconds, and its repository alone is read", async () => {
  const { folder, server, repository, other, secret, send } = await openWorld();
  const key = await createCaller(folder, "ada@example.com");
  const isFound = async (login: string) => {
    const response = await ask(server.address, key, `users/${login}`);
    await response.arrayBuffer();
    return response.status === 200;
  };
  await waitUntil(() => isFound("ada"));
  expect(await isFound("ben")).toBe(false);
  inventRepository(repository, [...commits, { author: ben, files: { "stack.ts": "more();\n" } }]);
  inventRepository(other, [...commits, { author: cleo, files: { "heap.ts": "more();\n" } }]);
  expect(await send(fromPostReceive(secret, repository))).toBe(202);
  expect(await waitUntil(() => isFound("ben"))).toBeLessThan(10);
  expect(await isFound("cleo")).toBe(false);
  // Its name below the folder selects it too. A repository that is not in the folder does not.
  expect(await send(fromPostReceive(secret, "tool"))).toBe(202);
  expect(await send(fromPostReceive(secret, "../data"))).toBe(200);
  expect(await send(fromPostReceive(secret, "/etc"))).toBe(200);
  const log = await Bun.file(`${folder}.log`).text();
  expect(log).toContain("hook of bare");
  const isKept = (text: string) =>
    Bun.spawnSync(["grep", "-rqaF", text, folder, `${folder}.log`]).exitCode === 0;
  expect([isKept(salt), isKept(secret)]).toEqual([true, false]);
});

test("a flood of forged deliveries leaves good calls exact, and is refused in bounds", async () => {
  const { folder, server, send } = await openWorld();
  const email = "ben@example.com";
  const key = await createCaller(folder, email);
  const commits = Array.from({ length: 500 }, () => githubPush("acme/tool").commits[0]);
  const forged = fromGithub(newSecret(), { ...githubPush("acme/tool"), commits });
  const statuses = new Map<number, number>();
  let isOver = false;
  const flood = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      const status = await send(forged);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  for (let call = 0; call < 80; call += 1) {
    const response = await ask(server.address, key, "users/nobody");
    await response.arrayBuffer();
    expect(response.status).toBe(404);
  }
  isOver = true;
  await Promise.all(flood);
  const office = await openOffice(folder);
  expect(await office.countCalls(email)).toBe(80);
  office.close();
  expect([...statuses.keys()].sort()).toEqual([401, 429]);
  expect(statuses.get(401)).toBeLessThan(30 + 16);
});
