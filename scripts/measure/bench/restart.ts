/**
 * How long a server takes from its start to its first green `/readyz` after a crash (kill -9 in the middle of calls),
 * compared with a start after a clean stop. Paired runs, medians, the ratio.
 */
import { join } from "node:path";
import type { ServerProcess } from "../../../test/faults/server-process.ts";
import { createCaller, fillFolder } from "../large-folder.ts";
import { defineMeasurement } from "../measurement.ts";
import { startRoster } from "../processes.ts";
import { atMost, comparePairs } from "../rows.ts";

const bar = 1.5;
const callsBetween = 400;

export const measurement = defineMeasurement({
  about: "From the start after a crash to ready, against the start after a clean stop.",
  options: { people: 100_000, runs: 10 },
  async run({ people, runs, work }) {
    const data = join(work, "data");
    const { key, logins } = await fillFolder(data, people);
    const start = async () => {
      const startedAt = performance.now();
      const server = await startRoster(data);
      return { server, ms: performance.now() - startedAt };
    };
    const askAll = async ({ address }: ServerProcess) => {
      const call = createCaller(address, key, logins);
      for (let turn = 0; turn < callsBetween; turn++) await call(turn);
    };
    const crashes: number[] = [];
    const stops: number[] = [];
    let { server } = await start();
    for (let run = 0; run < runs; run++) {
      await askAll(server);
      process.kill(server.pid, "SIGTERM");
      await server.exited;
      const clean = await start();
      await askAll(clean.server);
      await clean.server.kill();
      const crash = await start();
      server = crash.server;
      crashes.push(crash.ms);
      stops.push(clean.ms);
    }
    await server.kill();
    const against = { what: "after a clean stop", values: stops };
    return {
      rows: [
        { name: "restart.people", value: people, unit: "people" },
        atMost(bar, comparePairs({ name: "restart.crash", unit: "ms" }, crashes, against)),
      ],
    };
  },
});
