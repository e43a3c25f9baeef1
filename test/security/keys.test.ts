/**
 * The security checklist where it concerns keys, against the real program on loopback. Each test begins with
 * its number in the list; timings are printed, never judged: these machines are shared.
 */
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createKey } from "../../src/accounts/keys.ts";
import { openOffice } from "../faults/office.ts";
import { endServersAfterEach, freePort, startServer } from "../faults/server-process.ts";
import { isLong, rounds } from "../long.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
endServersAfterEach();

async function openWorld() {
  const folder = join(newFolder(), "data");
  const port = await freePort();
  const server = await startServer(folder, port);
  const office = await openOffice(folder);
  const account = {
    email: "ada@example.com",
    plan: "enterprise",
    callsPerDay: "unlimited",
  } as const;
  const { key } = await office.accounts.create(account);
  return { folder, port, server, office, key, email: account.email };
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

test("6: unknown, revoked, malformed and missing keys are refused alike; how long each takes is printed", async () => {
  const { server, office, key, email } = await openWorld();
  await office.accounts.regenerateKey(email);
  const causes: Record<string, () => Record<string, string>> = {
    unknown: () => ({ "x-api-key": createKey() }),
    revoked: () => ({ "x-api-key": key }),
    malformed: () => ({ "x-api-key": `${createKey().slice(0, -1)}-` }),
    missing: () => ({}),
  };
  const times = new Map(Object.keys(causes).map((cause) => [cause, [] as number[]]));
  const answers = new Set<string>();
  for (let round = 0; round < rounds(500); round += 1) {
    for (const [cause, headers] of Object.entries(causes)) {
      const startedAt = performance.now();
      const response = await ask(server.address, headers());
      const text = await response.text();
      times.get(cause)?.push(performance.now() - startedAt);
      const id = response.headers.get("x-request-id") as string;
      answers.add(`${response.status} ${text.replace(id, "ID")}`);
    }
  }
  expect(answers.size).toBe(1);
  expect([...answers][0]).toStartWith("401 ");
  const shown = [...times].map(([cause, taken]) => `${cause} ${microseconds(taken, 0.5)}`);
  process.stdout.write(`401 in microseconds, medians of ${rounds(500)}: ${shown.join(", ")}\n`);
  office.close();
});

const calls = isLong ? 200 : 80;

test("7: a flood of bad keys writes nothing, and good calls are answered and counted exactly", async () => {
  const { folder, server, office, key, email } = await openWorld();
  const goodCalls = async () => {
    const taken: number[] = [];
    for (let call = 0; call < calls; call += 1) {
      const startedAt = performance.now();
      const response = await ask(server.address, { "x-api-key": key });
      await response.arrayBuffer();
      expect(response.status).toBe(404);
      taken.push(performance.now() - startedAt);
    }
    return taken;
  };
  const sizeOf = () => statSync(join(folder, "control.db-wal")).size;
  const alone = await goodCalls();

  const before = sizeOf();
  for (let bad = 0; bad < 200; bad += 1) await ask(server.address, { "x-api-key": createKey() });
  expect(sizeOf()).toBe(before);

  let isOver = false;
  let refused = 0;
  const flood = Array.from({ length: 32 }, async () => {
    while (!isOver) {
      const response = await ask(server.address, { "x-api-key": createKey() });
      await response.arrayBuffer();
      expect(response.status).toBe(401);
      refused += 1;
    }
  });
  const beside = await goodCalls();
  isOver = true;
  await Promise.all(flood);
  expect(await office.countCalls(email)).toBe(2 * calls);
  process.stdout.write(
    `good calls in microseconds, p50/p99: alone ${microseconds(alone, 0.5)}/${microseconds(alone, 0.99)}, ` +
      `beside ${refused} bad keys ${microseconds(beside, 0.5)}/${microseconds(beside, 0.99)}\n`,
  );
  office.close();
});

function microseconds(milliseconds: readonly number[], share: number): number {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 1000);
}
