/** Starts threads only while file descriptors are free. Starting a thread without a free descriptor would end the process. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { Fault } from "./fault.ts";

/** The number of descriptors that stay free when a thread is started. A low limit of the process reduces it. */
const reserve = 4096;
const pollMs = 50;
const waitMsMax = 60_000;
const remedy =
  "Too few file descriptors are left to start a thread: raise the limit (ulimit -n, LimitNOFILE).";

declare const self: Worker;

const limits = "/proc/self/limits";
const opened = "/proc/self/fd";
const isLinux = existsSync(limits);

/**
 * Starts a worker thread once descriptors are free.
 * @param entry the path of its module from src/.
 * @throws Fault if no descriptor is free for a minute.
 */
export async function startThread(entry: string): Promise<Worker> {
  const startedMs = performance.now();
  for (;;) {
    if (countDescriptorsLeft() > 0) return createWorker(entry);
    if (performance.now() - startedMs > waitMsMax) throw new Fault("system", remedy);
    await Bun.sleep(pollMs);
  }
}

/** Runs the jobs that are posted to this worker. Each worker calls it once, when it is loaded. */
export function serveJobs<Job>(serve: (job: Job) => unknown): void {
  self.onmessage = ({ data }: MessageEvent<Job>) => serve(data);
}

/** In the executable, each worker's module keeps its path from src/. All other modules are in one file. */
function createWorker(entry: string): Worker {
  const isSource = import.meta.file === "descriptors.ts";
  return new Worker(new URL(`${isSource ? ".." : "."}/${entry}`, import.meta.url).href);
}

/** @returns the number of descriptors that are free beyond the reserve. Infinity means that the system states no limit. */
function countDescriptorsLeft(): number {
  try {
    // Outside Linux, only opening a file shows whether one is left.
    if (!isLinux) {
      closeSync(openSync(process.execPath, "r"));
      return Number.POSITIVE_INFINITY;
    }
    const text = readFileSync(limits, "utf8");
    const limit = Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
    return limit - Math.min(reserve, limit / 4) - countDescriptors();
  } catch {
    return 0;
  }
}

/** Since Linux 6.2, the size of /proc/self/fd is the number of open descriptors. On older systems, the size is 0. */
function countDescriptors(): number {
  return statSync(opened).size || readdirSync(opened).length;
}
