/**
 * How long a server takes from its start to its first green `/readyz` after a crash (kill -9 in the middle of calls),
 * against the same after a clean stop. In pairs, medians, the ratio.
 *
 * Options: `--people N` (default 100,000), `--runs N` (default 10), `--json`. Runs dist/roster if it is built.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  freePort,
  type ServerProcess,
  sourceProgram,
  startServer,
} from "../../test/faults/server-process.ts";
import { createCaller, fillFolder } from "./large-folder.ts";
import { atMost, median, type Row, report } from "./rows.ts";

const bar = 1.5;
const callsBetween = 400;
const built = join(import.meta.dir, "../../dist/roster");

export async function benchRestart(argv: readonly string[]): Promise<boolean> {
  const read = (flag: string, fallback: number) => Number(argv[argv.indexOf(flag) + 1]) || fallback;
  const [people, runs] = [read("--people", 100_000), read("--runs", 10)];
  const parent = mkdtempSync(join(tmpdir(), "roster-restart-"));
  try {
    const data = join(parent, "data");
    const { key, logins } = await fillFolder(data, people);
    const start = async () => {
      const program = existsSync(built) ? [built] : sourceProgram;
      const startedAt = performance.now();
      const server = await startServer(data, await freePort(), [], [], program);
      return { server, ms: performance.now() - startedAt };
    };
    const work = async ({ address }: ServerProcess) => {
      const call = createCaller(address, key, logins);
      for (let turn = 0; turn < callsBetween; turn++) await call(turn);
    };
    const pairs: { clean: number; crash: number }[] = [];
    let { server } = await start();
    for (let run = 0; run < runs; run++) {
      await work(server);
      process.kill(server.pid, "SIGTERM");
      await server.exited;
      const clean = await start();
      await work(clean.server);
      await clean.server.kill();
      const crash = await start();
      server = crash.server;
      pairs.push({ clean: clean.ms, crash: crash.ms });
    }
    await server.kill();
    const ratio = median(pairs.map(({ clean, crash }) => crash / clean));
    const rows: Row[] = [
      { name: "restart.people", value: people, unit: "people" },
      atMost(bar, {
        name: "restart.crash",
        value: median(pairs.map(({ crash }) => crash)),
        unit: "ms",
        ratio,
        against: { what: "after a clean stop", value: median(pairs.map(({ clean }) => clean)) },
      }),
    ];
    return report(rows, argv.includes("--json"));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
