/**
 * The security checklist where it concerns keys, against the real program on loopback. Each test begins with
 * its number in the list.
 */
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createKey } from "../../src/accounts/keys.ts";
import { createCaller, openOffice } from "../faults/office.ts";
import { endServersAfterEach, freePort, startServer } from "../faults/server-process.ts";
import { isLong } from "../long.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

async function openWorld() {
  const folder = join(newFolder(), "data");
  const port = await freePort();
  const server = await startServer(folder, port);
  const office = await openOffice(folder);
  const email = "ada@example.com";
  const key = await createCaller(folder, email);
  return { folder, port, server, office, key, email };
}

const ask = (address: string, headers: Record<string, string>) =>
  fetch(`${address}/v1/users/nobody`, { headers });

test("4: 64 clients on the old key get no answer to a call made after the regeneration, nor after kill -9", async () => {
  const { folder, port, server, office, key, email } = await openWorld();
  let deadAt = Number.POSITIVE_INFINITY;
  let isOver = false;
  const statuses = { before: new Set<number>(), after: new Set<number>() };
  const clients = Array.from({ length: 64 }, async () => {
    while (!isOver) {
      const sentAt = performance.now();
      const response = await ask(server.address, { "x-api-key": key });
      await response.arrayBuffer();
      (sentAt > deadAt ? statuses.after : statuses.before).add(response.status);
    }
  });
  while (statuses.before.size === 0) await Bun.sleep(10);
  const fresh = await office.accounts.regenerateKey(email);
  deadAt = performance.now();
  while (statuses.after.size === 0) await Bun.sleep(10);
  await Bun.sleep(300);
  isOver = true;
  await Promise.all(clients);
  expect(statuses.before).toContain(404);
  expect([...statuses.after]).toEqual([401]);

  await server.kill();
  const again = await startServer(folder, port);
  expect((await ask(again.address, { "x-api-key": key })).status).toBe(401);
  expect((await ask(again.address, { "x-api-key": fresh })).status).toBe(404);
  office.close();
});

const calls = isLong ? 200 : 80;

test("7: a flood of bad keys writes nothing, and good calls are answered and counted exactly", async () => {
  const { folder, server, office, key, email } = await openWorld();
  const makeGoodCalls = async () => {
    for (let call = 0; call < calls; call += 1) {
      const response = await ask(server.address, { "x-api-key": key });
      await response.arrayBuffer();
      expect(response.status).toBe(404);
    }
  };
  const sizeOf = () => statSync(join(folder, "control.db-wal")).size;
  await makeGoodCalls();
  const before = sizeOf();
  for (let bad = 0; bad < 200; bad += 1) await ask(server.address, { "x-api-key": createKey() });
  // The server may empty its log meanwhile, when it looks for old deliveries.
  expect([before, 0]).toContain(sizeOf());

  let isOver = false;
  const flood = Array.from({ length: 32 }, async () => {
    while (!isOver) {
      const response = await ask(server.address, { "x-api-key": createKey() });
      await response.arrayBuffer();
      expect(response.status).toBe(401);
    }
  });
  await makeGoodCalls();
  isOver = true;
  await Promise.all(flood);
  expect(await office.countCalls(email)).toBe(2 * calls);
  office.close();
});
