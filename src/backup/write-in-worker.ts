import { startThread } from "../contract/descriptors.ts";
import { Fault, type FaultCode } from "../contract/fault.ts";
import type { BackupHearing, BackupProgress } from "./read-archive.ts";
import type { WriteJob, WrittenArchive, WrittenFile } from "./write-archive.ts";

/** A message from the worker thread. @package */
export type ArchiveMessage =
  | { readonly progress: BackupProgress }
  | { readonly written: WrittenFile }
  | { readonly failure: { readonly code: FaultCode; readonly message: string } };

/** The order to the worker thread. @package */
export interface ArchiveOrder {
  readonly job: WriteJob;
  /** Shared memory. The value 1 asks the thread to stop after its current step. */
  readonly stop: Int32Array;
}

/** How long a thread may take to stop. Afterwards it is terminated. */
const stopMsMax = 2000;

/** Encrypts a file for age keys in a worker thread. @param target a new file. After an error, a part of it may be there. */
export const encryptFile = (
  source: string,
  target: string,
  recipients: readonly string[],
  hearing: BackupHearing = {},
): Promise<WrittenFile> => writeInWorker({ source, target, recipients }, hearing);

/**
 * Writes an archive in a worker thread. The server continues to answer calls.
 * @package @throws Fault if the archive cannot be written, or if the signal is aborted.
 */
export async function writeInWorker<Written extends WrittenFile = WrittenArchive>(
  job: WriteJob,
  { signal, onProgress }: BackupHearing,
): Promise<Written> {
  const worker = await startThread("backup/worker.ts");
  return new Promise((resolve, reject) => {
    const stop = new Int32Array(new SharedArrayBuffer(4));
    let timer: Timer | undefined;
    const end = () => {
      signal?.removeEventListener("abort", onAbort);
      clearTimeout(timer);
      worker.terminate();
    };
    const fail = (fault: Fault) => {
      end();
      reject(fault);
    };
    const stopped = new Fault("interrupted", "Stopped. No backup was made.");
    const onAbort = () => {
      Atomics.store(stop, 0, 1);
      timer = setTimeout(() => fail(stopped), stopMsMax);
    };
    if (signal?.aborted) return fail(stopped);
    signal?.addEventListener("abort", onAbort);
    worker.onmessage = ({ data }: MessageEvent<ArchiveMessage>) => {
      if ("progress" in data) return onProgress?.(data.progress);
      if ("failure" in data) return fail(new Fault(data.failure.code, data.failure.message));
      if (signal?.aborted) return fail(stopped);
      end();
      resolve(data.written as Written);
    };
    worker.onerror = ({ message }) =>
      fail(new Fault("system", `The thread that writes backups died: ${message}`));
    worker.postMessage({ job, stop } satisfies ArchiveOrder);
  });
}
