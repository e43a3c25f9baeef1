/** Push hooks of the real program: from a push to what a search finds, and beside a flood. */
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openOffice } from "../faults/office.ts";
import { endServersAfterEach } from "../faults/server-process.ts";
import { inventRepository } from "../ingest/git/invented-repository.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { fromGithub, fromPostReceive, githubPush, newSecret } from "./deliveries.ts";
import { hookSalt, serveHook, waitUntil } from "./serve-hook.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

// Their logins are in their addresses.
const ada = "Ada Example <1+ada@users.noreply.github.com>";
const ben = "Ben Sample <2+ben@users.noreply.github.com>";
const cleo = "Cleo Sample <3+cleo@users.noreply.github.com>";
const commits = [{ author: ada, files: { "queue.ts": "export const queue = [];\n" } }];

/** A folder of two bare repositories, and a server that reads it. */
async function openWorld() {
  const home = newFolder();
  const path = join(home, "mirrors");
  mkdirSync(path);
  const repository = inventRepository(join(path, "tool.git"), commits);
  const other = inventRepository(join(path, "other.git"), commits);
  return { ...(await serveHook(home, "bare", { kind: "folder", path })), repository, other };
}

test("a push is found within ten seconds, and its repository alone is read", async () => {
  const { folder, repository, other, secret, send, isFound } = await openWorld();
  await waitUntil(() => isFound("ada"));
  expect(await isFound("ben")).toBe(false);
  inventRepository(repository, [...commits, { author: ben, files: { "stack.ts": "more();\n" } }]);
  inventRepository(other, [...commits, { author: cleo, files: { "heap.ts": "more();\n" } }]);
  expect(await send(fromPostReceive(secret, repository))).toBe(202);
  expect(await waitUntil(() => isFound("ben"))).toBeLessThan(10);
  expect(await isFound("cleo")).toBe(false);
  // Its name below the folder selects it too. A repository that is not in the folder does not.
  expect(await send(fromPostReceive(secret, "tool"))).toBe(202);
  expect(await send(fromPostReceive(secret, "../served"))).toBe(200);
  expect(await send(fromPostReceive(secret, "/etc"))).toBe(200);
  const log = await Bun.file(`${folder}.log`).text();
  expect(log).toContain("hook of bare");
  const isKept = (text: string) =>
    Bun.spawnSync(["grep", "-rqaF", text, folder, `${folder}.log`]).exitCode === 0;
  expect([isKept(hookSalt), isKept(secret)]).toEqual([true, false]);
});

test("a flood of forged deliveries leaves good calls exact, and is refused in bounds", async () => {
  const { folder, email, send, isFound } = await openWorld();
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
  for (let call = 0; call < 80; call += 1) expect(await isFound("nobody")).toBe(false);
  isOver = true;
  await Promise.all(flood);
  const office = await openOffice(folder);
  expect(await office.countCalls(email)).toBe(80);
  office.close();
  expect([...statuses.keys()].sort()).toEqual([401, 429]);
  expect(statuses.get(401)).toBeLessThan(30 + 16);
});
