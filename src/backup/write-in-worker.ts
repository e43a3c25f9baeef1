import { Fault, type FaultCode } from "../contract/fault.ts";
import type { ArchiveJob, BackupProgress, WrittenArchive } from "./write-archive.ts";

/** What the worker says. @package */
export type ArchiveMessage =
  | { readonly progress: BackupProgress }
  | { readonly written: WrittenArchive }
  | { readonly failure: { readonly code: FaultCode; readonly message: string } };

interface Hearing {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: BackupProgress) => void) | undefined;
}

/**
 * How long a thread that was stopped is waited for, so that it has its copies open no more when they are removed. In the
 * middle of a large copy it may take longer; nobody else opens a copy.
 */
const letGoMsMax = 2000;

/**
 * Writes an archive in a worker thread, so that a server goes on answering.
 *
 * @package
 * @throws Fault when it cannot be written, or the signal is aborted.
 */
export function writeInWorker(
  job: ArchiveJob,
  { signal, onProgress }: Hearing,
): Promise<WrittenArchive> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerEntry());
    const end = () => {
      signal?.removeEventListener("abort", onAbort);
      worker.terminate();
    };
    const onAbort = async () => {
      const closed = new Promise((done) => worker.addEventListener("close", done));
      end();
      await Promise.race([closed, Bun.sleep(letGoMsMax)]);
      reject(new Fault("interrupted", "Stopped. No backup was made."));
    };
    if (signal?.aborted) return void onAbort();
    signal?.addEventListener("abort", onAbort);
    worker.onmessage = ({ data }: MessageEvent<ArchiveMessage>) => {
      if ("progress" in data) return onProgress?.(data.progress);
      end();
      if ("written" in data) resolve(data.written);
      else reject(new Fault(data.failure.code, data.failure.message));
    };
    worker.onerror = ({ message }) => {
      end();
      reject(new Fault("system", `The thread that writes backups died: ${message}`));
    };
    worker.postMessage(job);
  });
}

/** See `build-in-worker.ts` of the search index: in the executable, all modules but the workers are one file. */
function workerEntry(): string {
  const isSource = import.meta.file === "write-in-worker.ts";
  return new URL(isSource ? "./worker.ts" : "./backup/worker.ts", import.meta.url).href;
}
