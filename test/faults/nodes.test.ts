/**
 * What a caller over HTTP was told is true, whatever dies: nodes are killed, and the PostgreSQL that they share. An oracle
 * that knows only the answers compares.
 */
import { expect, test } from "bun:test";
import { isLong } from "../long.ts";
import { hasPostgres } from "../postgres/database.ts";
import { startPostgres } from "../postgres/server.ts";
import { createRandom, drawSeed } from "../random.ts";
import { makeFolder } from "../temporary-folder.ts";
import { startCalledNodes } from "./called-nodes.ts";
import { until } from "./callers.ts";
import { endServersAfterEach } from "./server-process.ts";

const rounds = isLong ? 15 : 3;
const random = createRandom(drawSeed("nodes killed"));
const root = makeFolder("nodes");
endServersAfterEach();

test.skipIf(!hasPostgres)(
  `nodes and PostgreSQL killed under callers over HTTP, ${rounds} rounds: nothing acknowledged is lost, nothing is beyond a limit`,
  async () => {
    const server = await startPostgres();
    const called = await startCalledNodes(root, server.url);
    const { totals, violations, nodes } = called;
    for (let round = 0; round < rounds; round += 1) {
      const before = totals.acknowledged;
      await until(() => totals.acknowledged - before >= 200);
      await Bun.sleep(random() * 200);
      const place = round % 2;
      if (round % 3 === 0) {
        await nodes[place]?.kill();
      } else {
        if (round % 3 === 1) await nodes[place]?.kill();
        const { away } = totals;
        await (round % 3 === 1 ? server.kill() : server.halt());
        await until(() => totals.away > away);
        await server.start();
      }
      if (round % 3 !== 2) await called.restartNode(place);
      expect(violations).toEqual([]);
    }
    const before = totals.acknowledged;
    await until(() => totals.acknowledged > before);
    expect(await called.stop()).toEqual([]);
    process.stdout.write(`${rounds} rounds: ${JSON.stringify(totals)}\n`);
    await server.stop();
  },
  600_000,
);
