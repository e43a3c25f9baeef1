import { Fault, type FaultCode } from "../../contract/fault.ts";
import type { PoolDatabase } from "../../pool/pool.ts";
import { openSealedGeneration, readGeneration } from "./file.ts";
import type { Generation } from "./generation.ts";

/** The message to the worker. */
export interface BuildJob {
  readonly poolFile: string;
  /** In place of the file. */
  readonly database: PoolDatabase | undefined;
  readonly file: string;
  readonly edition: string;
  /** The pool is opened for reading only, and the file is not written. */
  readonly isReadOnly: boolean;
}

/** The worker's answer. The buffer is transferred between the threads, not copied; undefined when the file has it. */
export type BuildResult =
  | { readonly buffer: ArrayBuffer | undefined; readonly writeFault: string | undefined }
  | { readonly failure: string; readonly code?: FaultCode };

/**
 * Builds a generation in a worker thread, which opens the pool itself and writes the file.
 *
 * @returns `undefined` when stopped first. `writeFault` says why the file could not be written; the
 *   generation is still good.
 * @throws Error when the pool cannot be read or the thread dies.
 */
export function buildInWorker(
  job: BuildJob,
  stop: AbortSignal,
): Promise<{ generation: Generation; writeFault: string | undefined } | undefined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerEntry());
    const end = () => {
      stop.removeEventListener("abort", onStop);
      worker.terminate();
    };
    const onStop = () => {
      end();
      resolve(undefined);
    };
    stop.addEventListener("abort", onStop);
    worker.onmessage = ({ data }: MessageEvent<BuildResult>) => {
      end();
      if ("failure" in data) {
        const text = `The search index was not built: ${data.failure}`;
        reject(data.code ? new Fault(data.code, text) : new Error(text));
      } else {
        const { buffer, writeFault } = data;
        const generation = buffer
          ? openSealedGeneration(buffer)
          : readGeneration(job.file, { edition: job.edition, isJustWritten: true });
        if ("fault" in generation)
          reject(new Error(`The search index, just built, ${generation.fault}.`));
        else resolve({ generation, writeFault });
      }
    };
    worker.onerror = ({ message }) => {
      end();
      reject(new Error(`The thread that builds the search index died: ${message}`));
    };
    worker.postMessage(job);
  });
}

/**
 * In the sources the worker is beside this file. In the executable all modules are one file, and the
 * worker's entry point is where `bun build` puts it: at its path from the folder that the entry
 * points share, which is src/.
 */
function workerEntry(): string {
  const isSource = import.meta.file === "build-in-worker.ts";
  const path = isSource ? "./worker.ts" : "./search/generation/worker.ts";
  return new URL(path, import.meta.url).href;
}
