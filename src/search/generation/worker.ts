/**
 * The worker thread that builds generations: one job, one answer. It is a second entry point, so it must be
 * listed on the command line of `bun build --compile` beside src/main.ts.
 */
import { isFault } from "../../contract/fault.ts";
import { openPlaces } from "../../places/places.ts";
import { openSqlitePool } from "../../pool/sqlite/sqlite-pool.ts";
import type { BuildJob, BuildResult } from "./build-in-worker.ts";
import { readGeneration, releaseGeneration, writeGeneration } from "./file.ts";
import type { Generation } from "./generation.ts";
import { renewGeneration } from "./renew.ts";

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<BuildJob>) => {
  const result = await build(data).catch(toFailure);
  self.postMessage(result, "buffer" in result && result.buffer ? [result.buffer] : []);
};

function toFailure(error: unknown): BuildResult {
  return isFault(error) ? { failure: error.message, code: error.code } : { failure: String(error) };
}

async function build({ poolFile, file, edition, isReadOnly }: BuildJob): Promise<BuildResult> {
  const pool = openSqlitePool(poolFile, { now: noClock, isReadOnly });
  try {
    const places = openPlaces();
    const stored = readGeneration(file, { edition });
    const previous = "fault" in stored ? undefined : stored;
    const ancestors = (placeId: string) => places.ancestors(placeId);
    const generation = await renewGeneration({ pool, edition, ancestors, previous });
    if (generation === previous) return { buffer: undefined, writeFault: undefined };
    if (previous) releaseGeneration(previous);
    const writeFault = isReadOnly ? undefined : write(file, generation);
    const isWritten = !isReadOnly && writeFault === undefined;
    return { buffer: isWritten ? undefined : generation.buffer, writeFault };
  } finally {
    await pool.close();
  }
}

function write(file: string, generation: Generation): string | undefined {
  try {
    writeGeneration(file, generation);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Only imports need the time, and the worker imports nothing. */
function noClock(): Date {
  throw new Error("The thread that builds the search index imports nothing.");
}
