import { join } from "node:path";
import type { SearchQuery } from "../../../src/search/search-index.ts";
import type { EnginePlace } from "./engine.ts";
import type { Asked, Built, Order, Report } from "./worker.ts";

interface Worker {
  build(): Promise<Built>;
  ask(queries: readonly SearchQuery[]): Promise<Asked>;
  end(): Promise<void>;
}

/** Starts an engine in a process of its own, which takes one order at a time. */
export function startWorker(engine: string, place: EnginePlace): Worker {
  let settle: ((report: Report) => void) | undefined;
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "worker.ts"), engine], {
    ...{ stdin: "ignore", stdout: "inherit", stderr: "inherit" },
    env: { ...process.env, PLACE: JSON.stringify(place) },
    ipc: (report: Report) => settle?.(report),
    onExit: (_, code) => settle?.({ fault: `it ended with ${code}` }),
  });
  const tell = async (order: Order): Promise<Report> => {
    const { promise, resolve } = Promise.withResolvers<Report>();
    settle = resolve;
    child.send(order);
    const report = await promise;
    if ("fault" in report) throw new Error(`${engine}: ${report.fault}`);
    return report;
  };
  return {
    build: async () => ((await tell("build")) as { built: Built }).built,
    ask: async (queries) => ((await tell(queries)) as { asked: Asked }).asked,
    async end() {
      child.disconnect();
      await child.exited;
    },
  };
}
