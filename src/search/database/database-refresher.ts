/** Keeps the newest generation in use, and builds it unless another node is building it. */
import type { PostgresDatabase, PostgresSession } from "../../postgres/database.ts";
import { createRefresh, followPool } from "../follow-pool.ts";
import { buildInDatabaseBeside } from "../generation/build-in-worker.ts";
import type { LoadedGeneration } from "../search-index.ts";
import type { SearchParts } from "../search-parts.ts";
import { runUnderBuildLock } from "./build-lock.ts";
import { buildInTurn } from "./building/build-in-turn.ts";
import { type GenerationInUse, openGeneration } from "./generation-in-use.ts";
import { findNewest, type IndexShape, isInUse, removeOutdated } from "./generation-rows.ts";

export interface RefresherParts
  extends Pick<SearchParts, "pool" | "places" | "database" | "edition" | "log"> {
  readonly open: () => Promise<PostgresDatabase>;
  readonly shape: IndexShape;
}

/** The time between two checks whether another node has finished building. */
const waitMilliseconds = 250;

/** @package */
export function createDatabaseRefresher(parts: RefresherParts) {
  const { pool, edition, log, open } = parts;
  const stop = new AbortController();
  let generation: GenerationInUse | undefined;
  let loadedAtMs = 0;

  /** Loads the newest generation, even if the pool has changed since it was built. */
  async function reload(): Promise<GenerationInUse | undefined> {
    const { read } = await open();
    const known = generation;
    const next = await read(async (statements) => {
      const stored = await findNewest(statements, edition);
      if (stored && stored.id !== known?.id) return openGeneration(statements, stored);
      // Returns undefined if the generation was removed, so that a new one is built.
      return known && (await isInUse(statements, known.id)) ? known : undefined;
    });
    generation = next;
    if (next && next !== known) {
      loadedAtMs = performance.now();
      const { revision, developers } = next;
      log[known ? "info" : "debug"]({ revision, developers }, "search index in use");
    }
    return next;
  }

  /** Loads the generation of the pool's revision, and builds it if no other node does. */
  async function catchUp(): Promise<void> {
    const isNewest = async () => generation?.revision === (await pool.revision());
    while (!stop.signal.aborted && !(await isNewest())) {
      await reload();
      if (await isNewest()) return;
      if (!(await build(parts, stop.signal))) await Bun.sleep(waitMilliseconds);
      if (!stop.signal.aborted) await reload();
    }
  }

  const refresh = createRefresh(catchUp);

  return {
    get generation() {
      return generation;
    },
    get loaded(): LoadedGeneration | undefined {
      if (!generation) return undefined;
      const { revision, developers, buildMs } = generation;
      const ageSeconds = (performance.now() - loadedAtMs) / 1000;
      const buildSeconds = buildMs === undefined ? undefined : buildMs / 1000;
      return { revision, developers, ageSeconds, buildSeconds };
    },
    reload,
    refresh,
    /** Brings the index up to date, then removes every index that contains erased people. */
    async discard() {
      const revision = await pool.revision();
      await refresh();
      const removeOld = ({ orm }: PostgresSession) => removeOutdated(orm, revision);
      while (!(await runUnderBuildLock(await open(), removeOld))) await Bun.sleep(waitMilliseconds);
    },
    follow: () => followPool(parts, refresh, stop.signal),
    async close() {
      stop.abort();
      await refresh().catch(() => {});
    },
  };
}

/**
 * Builds in a worker thread, so that calls are answered meanwhile. If the pool is not in a database, builds in this thread.
 * @returns false if another node was building.
 */
async function build(
  { pool, places, database, edition, shape, open }: RefresherParts,
  stop: AbortSignal,
): Promise<boolean> {
  if (database) return buildInDatabaseBeside({ database, edition, shape }, stop);
  const { ancestors } = places;
  const isStopped = () => stop.aborted;
  return buildInTurn(await open(), { pool, ancestors, edition, shape, isStopped });
}
