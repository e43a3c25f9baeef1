/** Counts how many files this process may still open. Connections count too. Without a free descriptor, a new thread ends the process. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { Fault } from "./fault.ts";

/** Descriptors that connections must leave for databases, files, programs and threads; at most a quarter of the limit. */
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
 *
 * @param entry the path of its module from src/.
 * @throws Fault if none are free for a minute.
 */
export async function startThread(entry: string): Promise<Worker> {
  const startedMs = performance.now();
  for (;;) {
    if (countDescriptorsLeft() > 0) return createWorker(entry);
    if (performance.now() - startedMs > waitMsMax) throw new Fault("system", remedy);
    await Bun.sleep(pollMs);
  }
}

/** Called by a worker once, when it is loaded: runs the jobs that are posted to it. */
export function serveJobs<Job>(serve: (job: Job) => unknown): void {
  self.onmessage = ({ data }: MessageEvent<Job>) => serve(data);
}

/** In the executable, the entry point of a worker has its path from src/, and all other modules are one file. */
function createWorker(entry: string): Worker {
  const isSource = import.meta.file === "descriptors.ts";
  return new Worker(new URL(`${isSource ? ".." : "."}/${entry}`, import.meta.url).href);
}

/** @returns how many files may be opened until only the reserve is left; infinity where the system states no limit. */
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

/** The size of the folder is their number since Linux 6.2, and 0 before. */
function countDescriptors(): number {
  return statSync(opened).size || readdirSync(opened).length;
}
