import { openSealedGeneration } from "./file.ts";
import type { Generation } from "./generation.ts";

/** What the worker is told. */
export interface BuildJob {
  readonly poolFile: string;
  readonly file: string;
  readonly edition: string;
}

/** What the worker answers; the buffer moves between the threads without being copied. */
export type BuildResult =
  | { readonly buffer: ArrayBuffer; readonly writeFault: string | undefined }
  | { readonly failure: string };

/**
 * Builds a generation in a thread of its own, which opens the pool itself and writes the file.
 *
 * @returns `undefined` when stopped first. `writeFault` says why the file could not be written: the
 *   generation is good all the same.
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
      if ("failure" in data) reject(new Error(`The search index was not built: ${data.failure}`));
      else resolve({ generation: openSealedGeneration(data.buffer), writeFault: data.writeFault });
    };
    worker.onerror = ({ message }) => {
      end();
      reject(new Error(`The thread that builds the search index died: ${message}`));
    };
    worker.postMessage(job);
  });
}

/**
 * From source the worker lies beside this file. In the one executable all modules are one file, and
 * the worker's entry point lies below it where `bun build` puts it: at its path from the folder that
 * the entry points share, which is src/.
 */
function workerEntry(): string {
  const isSource = import.meta.file === "build-in-worker.ts";
  const path = isSource ? "./worker.ts" : "./search/memory/generation/worker.ts";
  return new URL(path, import.meta.url).href;
}
