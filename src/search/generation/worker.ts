/**
 * The worker thread that builds generations. It does one job and sends one answer. The command line of `bun build --compile` must
 * list this file, because it is a separate entry point.
 */
import { readFileSync } from "node:fs";
import { serveJobs } from "../../contract/descriptors.ts";
import { isFault } from "../../contract/fault.ts";
import { openPlaces } from "../../places/places.ts";
import type { Pool, PoolDatabase, SharedIndexes } from "../../pool/pool.ts";
import { openSqlitePool } from "../../pool/sqlite/sqlite-pool.ts";
import type {
  BuildAnswer,
  BuildFailure,
  BuildJob,
  DatabaseAnswer,
  DatabaseJob,
  MemoryAnswer,
  MemoryJob,
} from "./build-in-worker.ts";
import { buildNewest } from "./build-newest.ts";
import { loadGeneration, readGeneration, releaseGeneration, tryToWrite } from "./file.ts";
import type { Generation } from "./generation.ts";

declare const self: Worker;

serveJobs(async (job: BuildJob) => {
  const answer = await build(job).catch(toFailure);
  self.postMessage(answer, "buffer" in answer && answer.buffer ? [answer.buffer] : []);
});

function build(job: BuildJob): Promise<BuildAnswer> {
  return "shape" in job ? buildInDatabase(job) : buildInMemory(job);
}

function toFailure(error: unknown): BuildFailure {
  return isFault(error) ? { failure: error.message, code: error.code } : { failure: String(error) };
}

/** Builds on its own connections, which are closed when the thread ends. */
async function buildInDatabase(job: DatabaseJob): Promise<DatabaseAnswer> {
  const { openPostgres } = await import("../../postgres/database.ts");
  const { buildInTurn } = await import("../database/building/build-in-turn.ts");
  const { edition, shape } = job;
  const database = await openPostgres({ ...job.database, connectionsMax: 1 });
  try {
    const pool = await openSharedPool(job.database);
    const { ancestors } = openPlaces();
    const source = { pool, ancestors, edition, shape, isStopped: () => false };
    return { isTurn: await buildInTurn(database, source).finally(pool.close) };
  } finally {
    await database.close();
  }
}

async function buildInMemory(job: MemoryJob): Promise<MemoryAnswer> {
  const { poolFile, database, isReadOnly } = job;
  const pool = database
    ? await openSharedPool(database)
    : openSqlitePool(poolFile, { now: noClock, isReadOnly });
  try {
    const stored = readGeneration(job.file, job);
    const previous = "fault" in stored ? undefined : stored;
    const isNewest = previous?.revision === (await pool.revision());
    if (!pool.indexes || isNewest) return await buildHere(pool, job, previous);
    return await share(pool, pool.indexes, job, previous);
  } finally {
    await pool.close();
  }
}

async function openSharedPool(database: PoolDatabase): Promise<Pool> {
  const { openPostgresPool } = await import("../../pool/postgres/postgres-pool.ts");
  return openPostgresPool({ ...database, connectionsMax: connectionsOfWorker }, { now: noClock });
}

/** One connection to hold the build lock, one to read. */
const connectionsOfWorker = 2;

/** Downloads the index if another node has already built this revision; otherwise builds it and uploads it for other nodes. */
async function share(
  pool: Pool,
  indexes: SharedIndexes,
  job: MemoryJob,
  previous: Generation | undefined,
): Promise<MemoryAnswer> {
  // Wait without a limit, because the thread is ended when the server stops.
  const endTurn = await indexes.takeTurn(() => false);
  try {
    const revision = await pool.revision();
    const fetched = await loadGeneration(indexes.read(job.edition), { ...job, revision });
    if (fetched) return { buffer: undefined, writeFault: undefined };
    const { revision: built, ...answer } = await buildHere(pool, job, previous);
    if (!answer.buffer) await indexes.store(job.edition, readFileSync(job.file), built);
    return answer;
  } finally {
    await endTurn?.();
  }
}

async function buildHere(
  pool: Pool,
  { file, edition, isReadOnly }: MemoryJob,
  previous: Generation | undefined,
): Promise<MemoryAnswer & { readonly revision: number }> {
  const { ancestors } = openPlaces();
  const generation = await buildNewest({ pool, edition, ancestors, previous });
  const { revision } = generation;
  if (generation === previous) return { revision, buffer: undefined, writeFault: undefined };
  if (previous) releaseGeneration(previous);
  const writeFault = isReadOnly ? undefined : tryToWrite(file, generation);
  const isWritten = !isReadOnly && writeFault === undefined;
  return { revision, buffer: isWritten ? undefined : generation.buffer, writeFault };
}

/** A clock that must not be called. Only imports need the time, and this worker does not import. */
function noClock(): Date {
  throw new Error("The thread that builds the search index imports nothing.");
}
