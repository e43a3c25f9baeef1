/** How many files this process may still open. Connections count too, and the runtime ends when a new thread gets none. */
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { Fault } from "./fault.ts";

/** Descriptors that connections must leave to databases, files, programs and threads; at most a quarter of the limit. */
const reserve = 4096;
/** Below this, one burst of connections may take all that is left before the next check. */
const roomOfBurst = 1024;
/** Far longer than a thread needs to open its files. */
const threadStartMs = 100;
const pollMs = 50;
const waitMsMax = 60_000;
const remedy =
  "Too few file descriptors are left to start a thread: raise the limit (ulimit -n, LimitNOFILE).";

const limits = "/proc/self/limits";
const probe = existsSync(limits) ? limits : process.execPath;

/** Whether only the reserve is left or, when the system does not tell the limit, nothing. */
export function isShortOfDescriptors(): boolean {
  return countDescriptorsLeft() <= 0;
}

/**
 * Starts a worker thread once there are descriptors for it: without them the runtime ends the process, not the thread.
 *
 * @param entry the path of its module from src/.
 * @throws Fault when there are none for a minute.
 */
export async function startThread(entry: string): Promise<Worker> {
  const startedMs = performance.now();
  for (;;) {
    const left = countDescriptorsLeft();
    if (left > 0) {
      const worker = createWorker(entry);
      // While this thread sleeps, no connection takes the descriptors that the new thread needs.
      if (left < roomOfBurst) Bun.sleepSync(threadStartMs);
      return worker;
    }
    if (performance.now() - startedMs > waitMsMax) throw new Fault("system", remedy);
    await Bun.sleep(pollMs);
  }
}

/**
 * Starts a worker thread at once. In the executable all modules but the workers are one file, and the entry point of a
 * worker is where `bun build` puts it: at its path from the folder that the entry points share, which is src/.
 *
 * @param entry the path of its module from src/.
 */
export function createWorker(entry: string): Worker {
  const isSource = import.meta.file === "descriptors.ts";
  return new Worker(new URL(`${isSource ? ".." : "."}/${entry}`, import.meta.url).href);
}

/** @returns how many may be opened until only the reserve is left. A new descriptor gets the lowest number that is free. */
function countDescriptorsLeft(): number {
  let lowest: number;
  let text = "";
  try {
    lowest = openSync(probe, "r");
  } catch {
    return 0;
  }
  try {
    if (probe === limits) text = readFileSync(lowest, "utf8");
  } finally {
    closeSync(lowest);
  }
  const limit = Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
  return limit - Math.min(reserve, limit / 4) - lowest;
}
