import { existsSync } from "node:fs";
import { startThread } from "../contract/descriptors.ts";
import type { DatabaseRole } from "../data-files/file-names.ts";
import { describeDamage, getDamageKey } from "./describe-damage.ts";

/** The message to the worker. @package */
export interface CheckJob {
  readonly files: readonly { readonly file: DatabaseRole; readonly path: string }[];
}

/** The worker's answer for one file; after the last, "done". @package */
export type CheckResult =
  | { readonly file: DatabaseRole; readonly findings: readonly string[] }
  /** The check itself failed, which says nothing about the state of the file. */
  | { readonly file: DatabaseRole; readonly failure: string };

/** The first check waits, because a start has more urgent work. */
const firstAfterMs = 3000;
const everyMs = 24 * 3_600_000;

/**
 * Looks for damage in the databases of a running server, soon after the start and once a day. It runs in a worker
 * thread and pauses often, so that calls do not slow down.
 *
 * @param faults receives findings, and is told when a file is undamaged again.
 * @returns a function that ends it.
 */
export function watchForDamage(
  paths: Readonly<Record<DatabaseRole, string>>,
  faults: { report(key: string, text: string): void; clear(key: string): void },
): () => void {
  let worker: Worker | undefined;
  let isEnded = false;
  const end = () => {
    worker?.terminate();
    worker = undefined;
  };
  const hear = (result: CheckResult) => {
    if (!("findings" in result)) return;
    const { file, findings } = result;
    if (findings.length === 0) faults.clear(getDamageKey(file));
    else faults.report(getDamageKey(file), describeDamage(file, findings));
  };
  const run = async () => {
    if (worker) return;
    // If no thread can be started, the next turn tries again.
    const started = await startThread("doctor/worker.ts").catch(() => undefined);
    if (!started || isEnded) return started?.terminate();
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
  };
  const first = setTimeout(run, firstAfterMs);
  const daily = setInterval(run, everyMs);
  first.unref();
  daily.unref();
  return () => {
    clearTimeout(first);
    clearInterval(daily);
    isEnded = true;
    end();
  };
}
