/**
 * A primary with a synchronous standby is killed under callers, and the standby takes over behind the address that nodes know:
 * nothing acknowledged is lost, and the service is back without a restart. Only in the long form.
 */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { openPostgresControlStore } from "../../src/control/postgres/postgres-control-store.ts";
import { createQuota } from "../../src/control/quota.ts";
import { hasPostgres } from "../postgres/database.ts";
import { startPostgres } from "../postgres/server.ts";
import { emails, startCallers } from "./callers.ts";
import { endServersAfterEach, freePort, startServer } from "./server-process.ts";

const isLong = process.env["TEST_LONG"] === "1";
if (!isLong) process.stderr.write("Skips the failover of PostgreSQL: it is part of --long\n");
const now = () => new Date();
const root = mkdtempSync(join(tmpdir(), "roster-failover-"));
afterAll(() => rmSync(root, { recursive: true }));
endServersAfterEach();

/** What a proxy before a database does: leads to one server, and ends the connections to the one before. */
async function startProxy(first: number) {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((given) => {
    const taken = connect(target, "127.0.0.1");
    for (const socket of [given, taken]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        given.destroy();
        taken.destroy();
      });
    }
    given.pipe(taken).pipe(given);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port,
    lead: (to: number) => {
      target = to;
      for (const socket of open) socket.destroy();
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await Bun.sleep(5);
}
const portOf = (url: string) => Number(new URL(url).port);

test.skipIf(!hasPostgres || !isLong)(
  "a standby takes over from a primary that was killed: nothing acknowledged is lost, and nodes go on by themselves",
  async () => {
    const primary = await startPostgres();
    const standby = await startPostgres({ primary });
    const proxy = await startProxy(portOf(primary.url));
    const url = new URL(primary.url);
    url.port = String(proxy.port);
    const control = await openPostgresControlStore({ url: url.href, connectionsMax: 2 });
    const accounts = await openAccounts(control, { now });
    const keys: string[] = [];
    for (const email of emails) {
      const limits = { callsPerMonth: "unlimited", callsPerDay: "unlimited" } as const;
      keys.push((await accounts.create({ email, plan: "pro", ...limits })).key);
    }
    const under = ["env", `ROSTER_DATABASE_URL=${url.href}`];
    const nodes = await Promise.all(
      [0, 1].map(async (place) => startServer(join(root, `node${place}`), await freePort(), under)),
    );
    const callers = startCallers(
      nodes.map(({ address }) => address),
      keys,
    );
    const { oracle, totals, notCounted } = callers;
    await until(() => totals.acknowledged >= 500);
    await primary.kill();
    const away = totals.refused;
    await until(() => totals.refused > away);
    const startedMs = performance.now();
    standby.promote();
    proxy.lead(portOf(standby.url));
    const before = totals.acknowledged;
    await until(() => totals.acknowledged > before);
    const backMs = Math.round(performance.now() - startedMs);
    await until(() => totals.acknowledged - before >= 500);
    await callers.stop();
    const terms = { countsInvalid: false, trialDays: undefined, lookupsPerMinute: 120 };
    const quota = createQuota(control, { now, ...terms });
    for (const [place, email] of emails.entries()) {
      const identity = await accounts.authenticate(keys[place] as string);
      const { quota: counted } = await quota.usage({ accountId: identity?.accountId ?? "" });
      oracle.compare(email, { ...counted, refused: notCounted.get(email) ?? 0 });
    }
    expect(oracle.violations).toEqual([]);
    const { acknowledged, unknown, refused } = totals;
    process.stdout.write(
      `failover: ${acknowledged} acknowledged, ${unknown} unknown, ${refused} refused, back ${backMs} ms after the promotion began\n`,
    );
    await Promise.all(nodes.map((node) => node.kill()));
    await control.close();
    proxy.close();
    await standby.stop();
    await primary.stop();
  },
  300_000,
);
