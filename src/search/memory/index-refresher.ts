import { createRefresh, followPool } from "../follow-pool.ts";
import { buildInWorker } from "../generation/build-in-worker.ts";
import { buildNewest } from "../generation/build-newest.ts";
import { missingFile, readGeneration, releaseGeneration, tryToWrite } from "../generation/file.ts";
import type { Generation } from "../generation/generation.ts";
import type { LoadedGeneration } from "../search-index.ts";
import type { SearchParts } from "../search-parts.ts";

type Parts = SearchParts & { readonly file: string | undefined };

export type IndexRefresher = ReturnType<typeof createIndexRefresher>;

/** Holds the newest generation and follows the pool. A reader always sees one complete generation. */
export function createIndexRefresher(parts: Parts) {
  const { pool, log } = parts;
  const stop = new AbortController();
  let generation: Generation | undefined;
  let took: { readonly atMs: number; readonly buildSeconds: number | undefined } = {
    atMs: 0,
    buildSeconds: undefined,
  };

  async function catchUp(): Promise<void> {
    while (!stop.signal.aborted) {
      if ((await pool.revision()) === generation?.revision || stop.signal.aborted) return;
      const startedMs = performance.now();
      const previous = generation;
      const next = await build(parts, previous, stop.signal);
      if (stop.signal.aborted || !next) return;
      generation = next;
      if (previous && previous !== next) releaseGeneration(previous);
      const atMs = performance.now();
      took = { atMs, buildSeconds: (atMs - startedMs) / 1000 };
      const { revision, developers } = next;
      // Log at info level only if this generation replaces another.
      log[previous ? "info" : "debug"]({ revision, developers }, "search index built");
    }
  }
  const refresh = createRefresh(catchUp);

  return {
    get generation() {
      return generation;
    },
    get loaded(): LoadedGeneration | undefined {
      if (!generation) return undefined;
      const { revision, developers } = generation;
      const ageSeconds = (performance.now() - took.atMs) / 1000;
      return { revision, developers, ageSeconds, buildSeconds: took.buildSeconds };
    },
    async start() {
      generation = await load(parts);
      took = { atMs: performance.now(), buildSeconds: undefined };
      await refresh();
      followPool(parts, refresh, stop.signal);
    },
    refresh,
    close: () => stop.abort(),
  };
}

async function load({ pool, file, edition, log }: Parts): Promise<Generation | undefined> {
  if (file === undefined) return undefined;
  const found = readGeneration(file, { revision: await pool.revision(), edition });
  if (!("fault" in found)) return found;
  // A missing file is normal on a first start.
  const isNew = found.fault === missingFile;
  log[isNew ? "debug" : "info"]({ file }, `search index ${found.fault}; building it from the pool`);
  return undefined;
}

/** For at most this many people, building takes less time than starting a thread. */
const fewPeople = 500;

/** @returns undefined if the build was stopped. */
async function build(
  parts: Parts,
  previous: Generation | undefined,
  stop: AbortSignal,
): Promise<Generation | undefined> {
  const { pool, poolFile, database, file, edition, isReadOnly = false, log } = parts;
  if (file === undefined) return buildHere(parts, previous);
  const built =
    !database && (await pool.size()) <= fewPeople
      ? await buildAndWrite(parts, previous, file)
      : await buildInWorker({ poolFile, database, file, edition, isReadOnly }, stop);
  if (built?.writeFault) {
    const { writeFault } = built;
    log.warn({ file, writeFault }, "search index could not be written; the next start builds it");
  }
  return built?.generation;
}

function buildHere(
  { pool, places, edition }: Parts,
  previous: Generation | undefined,
): Promise<Generation> {
  return buildNewest({ pool, ancestors: places.ancestors, edition, previous });
}

async function buildAndWrite(parts: Parts, previous: Generation | undefined, file: string) {
  const generation = await buildHere(parts, previous);
  const isNew = generation !== previous && !parts.isReadOnly;
  return { generation, writeFault: isNew ? tryToWrite(file, generation) : undefined };
}
