import { existsSync } from "node:fs";
import { startThread } from "../contract/descriptors.ts";
import { startRepeating } from "../contract/start-repeating.ts";
import type { DatabaseRole } from "../data-files/file-names.ts";
import { describeDamage, getDamageKey } from "./describe-damage.ts";

/** @package The order sent to the worker. */
export interface CheckJob {
  readonly files: readonly { readonly file: DatabaseRole; readonly path: string }[];
}

/** @package The worker's answer for each file that it could check. After the last file, it sends "done". */
export interface CheckResult {
  readonly file: DatabaseRole;
  readonly findings: readonly string[];
}

/** The time from the start to the first check. */
const firstAfterMs = 3000;
const everyMs = 24 * 3_600_000;

/**
 * Looks for damage in the databases of a running server, soon after the start and then once a day.
 * @param faults stores the findings about each file until the file is undamaged.
 * @returns a function that ends the checks.
 */
export function watchForDamage(
  paths: Readonly<Record<DatabaseRole, string>>,
  faults: { report(key: string, text: string): void; clear(key: string): void },
): () => void {
  let worker: Worker | undefined;
  const end = () => {
    worker?.terminate();
    worker = undefined;
  };
  const hear = ({ file, findings }: CheckResult) => {
    if (findings.length === 0) faults.clear(getDamageKey(file));
    else faults.report(getDamageKey(file), describeDamage(file, findings));
  };
  const run = async (stop: AbortSignal) => {
    if (worker) return everyMs;
    // If no thread can be started, the next daily check tries again.
    const started = await startThread("doctor/worker.ts").catch(() => undefined);
    if (stop.aborted) started?.terminate();
    if (!started || stop.aborted) return everyMs;
    worker = started;
    const files = (Object.entries(paths) as [DatabaseRole, string][])
      .filter(([, path]) => existsSync(path))
      .map(([file, path]) => ({ file, path }));
    worker.onmessage = ({ data }: MessageEvent<CheckResult | "done">) => {
      if (data === "done") end();
      else hear(data);
    };
    worker.onerror = end;
    worker.postMessage({ files } satisfies CheckJob);
    return everyMs;
  };
  const { close } = startRepeating(run, firstAfterMs);
  return () => {
    void close();
    end();
  };
}
