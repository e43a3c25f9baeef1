/**
 * What a caller over HTTP was told is true, whatever dies: nodes are killed, and the PostgreSQL that they share. An oracle
 * that knows only the answers compares.
 */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { openPostgresControlStore } from "../../src/control/postgres/postgres-control-store.ts";
import { createQuota } from "../../src/control/quota.ts";
import { hasPostgres } from "../postgres/database.ts";
import { startPostgres } from "../postgres/server.ts";
import { createRandom, drawSeed } from "../random.ts";
import { emails, startCallers } from "./callers.ts";
import {
  endServersAfterEach,
  freePort,
  type ServerProcess,
  startServer,
} from "./server-process.ts";

const rounds = process.env["TEST_LONG"] === "1" ? 15 : 3;
const limit = 1000;
const random = createRandom(drawSeed("nodes killed"));
const now = () => new Date();
const root = mkdtempSync(join(tmpdir(), "roster-nodes-"));
afterAll(() => rmSync(root, { recursive: true }));
endServersAfterEach();

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await Bun.sleep(5);
}

test.skipIf(!hasPostgres)(
  `nodes and PostgreSQL killed under callers over HTTP, ${rounds} rounds: nothing acknowledged is lost, nothing is beyond a limit`,
  async () => {
    const server = await startPostgres();
    const control = await openPostgresControlStore({ url: server.url, connectionsMax: 2 });
    const accounts = await openAccounts(control, { now });
    const keys: string[] = [];
    for (const [place, email] of emails.entries()) {
      const own = place === 0 ? { callsPerMonth: limit } : { callsPerMonth: "unlimited" as const };
      keys.push(
        (await accounts.create({ email, plan: "pro", callsPerDay: "unlimited", ...own })).key,
      );
    }
    const under = ["env", `ROSTER_DATABASE_URL=${server.url}`];
    const ports = [await freePort(), await freePort()];
    const startNode = (place: number) =>
      startServer(join(root, `node${place}`), ports[place] as number, under);
    const nodes: ServerProcess[] = await Promise.all([startNode(0), startNode(1)]);
    const callers = startCallers(
      nodes.map(({ address }) => address),
      keys,
    );
    const { oracle, totals, notCounted } = callers;
    for (let round = 0; round < rounds; round += 1) {
      const before = totals.acknowledged;
      await until(() => totals.acknowledged - before >= 200);
      await Bun.sleep(random() * 200);
      const place = round % 2;
      if (round % 3 === 0) {
        await nodes[place]?.kill();
      } else {
        if (round % 3 === 1) await nodes[place]?.kill();
        const away = totals.refused;
        await server.kill();
        await until(() => totals.refused > away);
        await server.start();
      }
      if (round % 3 !== 2) nodes[place] = await startNode(place);
      expect(oracle.violations).toEqual([]);
    }
    const before = totals.acknowledged;
    await until(() => totals.acknowledged > before);
    await callers.stop();
    const terms = { countsInvalid: false, trialDays: undefined, lookupsPerMinute: 120 };
    const quota = createQuota(control, { now, ...terms });
    for (const [place, email] of emails.entries()) {
      const identity = await accounts.authenticate(keys[place] as string);
      const { quota: counted } = await quota.usage({ accountId: identity?.accountId ?? "" });
      oracle.compare(email, { ...counted, refused: notCounted.get(email) ?? 0 });
      if (place === 0) expect(counted.used).toBeLessThanOrEqual(limit);
    }
    expect(oracle.violations).toEqual([]);
    const { acknowledged, unknown, refused } = totals;
    process.stdout.write(
      `${rounds} rounds, ${acknowledged} acknowledged, ${unknown} unknown, ${refused} refused\n`,
    );
    await Promise.all(nodes.map((node) => node.kill()));
    await control.close();
    await server.stop();
  },
  600_000,
);
