import { startThread } from "../../contract/descriptors.ts";
import { Fault, type FaultCode } from "../../contract/fault.ts";
import type { PoolDatabase } from "../../pool/pool.ts";
import type { IndexShape } from "../database/generation-rows.ts";
import type { SearchParts } from "../search-parts.ts";
import { openSealedGeneration, readGeneration } from "./file.ts";
import type { Generation } from "./generation.ts";

export type BuildJob = MemoryJob | DatabaseJob;

/** A job to build an index that nodes hold in memory. */
export interface MemoryJob
  extends Required<Pick<SearchParts, "poolFile" | "database" | "edition" | "isReadOnly">> {
  readonly file: string;
}

/** A job to build an index in the database that has the pool. */
export interface DatabaseJob {
  readonly database: PoolDatabase;
  readonly shape: IndexShape;
  readonly edition: string;
}

export type BuildAnswer = MemoryAnswer | DatabaseAnswer | BuildFailure;

/** The answer to a `MemoryJob`. The buffer is undefined if the generation was written to the file. */
export interface MemoryAnswer {
  readonly buffer: ArrayBuffer | undefined;
  readonly writeFault: string | undefined;
}

/** `isTurn` is false if another node was building the index. */
export interface DatabaseAnswer {
  readonly isTurn: boolean;
}

export interface BuildFailure {
  readonly failure: string;
  readonly code?: FaultCode;
}

/**
 * Builds a generation in a worker thread. The thread opens the pool itself and writes the file.
 * @returns undefined if the build was stopped. `writeFault` says why the file could not be written.
 * @throws Error if the pool cannot be read or the thread dies.
 */
export async function buildInWorker(
  job: MemoryJob,
  stop: AbortSignal,
): Promise<{ generation: Generation; writeFault: string | undefined } | undefined> {
  const answer = await runWorker<MemoryAnswer>(job, stop);
  if (!answer) return undefined;
  const { buffer, writeFault } = answer;
  const generation = buffer
    ? openSealedGeneration(buffer)
    : readGeneration(job.file, { edition: job.edition, isJustWritten: true });
  if ("fault" in generation) throw new Error(`The search index, just built, ${generation.fault}.`);
  return { generation, writeFault };
}

/**
 * In a worker thread, builds a generation in the database, unless another node is building it or has built it.
 * @returns false if another node was building, otherwise true.
 * @throws Fault `database_away`. @throws Error if the thread dies.
 */
export async function buildInDatabaseBeside(job: DatabaseJob, stop: AbortSignal): Promise<boolean> {
  const answer = await runWorker<DatabaseAnswer>(job, stop);
  return answer?.isTurn ?? true;
}

/** Runs the worker until it answers or is stopped, then terminates the thread. */
async function runWorker<Answer extends object>(
  job: BuildJob,
  stop: AbortSignal,
): Promise<Answer | undefined> {
  const worker = await startThread("search/generation/worker.ts");
  if (stop.aborted) {
    worker.terminate();
    return undefined;
  }
  return new Promise((resolve, reject) => {
    const end = () => {
      stop.removeEventListener("abort", onStop);
      worker.terminate();
    };
    const onStop = () => {
      end();
      resolve(undefined);
    };
    stop.addEventListener("abort", onStop);
    worker.onmessage = ({ data }: MessageEvent<Answer | BuildFailure>) => {
      end();
      if ("failure" in data) {
        const text = `The search index was not built: ${data.failure}`;
        reject(data.code ? new Fault(data.code, text) : new Error(text));
      } else resolve(data);
    };
    worker.onerror = ({ message }) => {
      end();
      reject(new Error(`The thread that builds the search index died: ${message}`));
    };
    worker.postMessage(job);
  });
}
