/**
 * A primary with a synchronous standby is killed under callers, and the standby takes over behind the address that nodes know:
 * nothing acknowledged is lost, and the service is back without a restart. Only in the long form.
 */
import { expect, test } from "bun:test";
import { isLong } from "../long.ts";
import { hasPostgres } from "../postgres/database.ts";
import { startProxy } from "../postgres/proxy.ts";
import { startPostgres } from "../postgres/server.ts";
import { makeFolder } from "../temporary-folder.ts";
import { startCalledNodes } from "./called-nodes.ts";
import { until } from "./callers.ts";
import { endServersAfterEach } from "./server-process.ts";

if (!isLong)
  process.stderr.write("Skips the failover of PostgreSQL: it is part of scripts/explore\n");
const root = makeFolder("failover");
endServersAfterEach();

const portOf = (url: string) => Number(new URL(url).port);

test.skipIf(!hasPostgres || !isLong)(
  "a standby takes over from a primary that was killed: nothing acknowledged is lost, and nodes go on by themselves",
  async () => {
    const primary = await startPostgres();
    const standby = await startPostgres({ primary });
    const proxy = await startProxy(portOf(primary.url));
    const url = new URL(primary.url);
    url.port = String(proxy.port);
    const called = await startCalledNodes(root, url.href);
    const { totals } = called;
    await until(() => totals.acknowledged >= 500);
    await primary.kill();
    const { away } = totals;
    await until(() => totals.away > away);
    const startedMs = performance.now();
    standby.promote();
    proxy.lead(portOf(standby.url));
    const before = totals.acknowledged;
    await until(() => totals.acknowledged > before);
    const backMs = Math.round(performance.now() - startedMs);
    await until(() => totals.acknowledged - before >= 500);
    expect(await called.stop()).toEqual([]);
    process.stdout.write(
      `failover: ${JSON.stringify(totals)}, back ${backMs} ms after the promotion began\n`,
    );
    proxy.close();
    await standby.stop();
    await primary.stop();
  },
  300_000,
);
