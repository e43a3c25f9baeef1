import { statfsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { indexName } from "../../data-files/file-names.ts";
import { listLocations } from "../../ingest/ingest.ts";
import type { ServerState } from "../../metrics/metrics.ts";
import { readStoredRevision } from "../../pool/sqlite/sqlite-pool.ts";
import { type DataFolder, inMemory } from "../data-folder.ts";
import type { Readiness } from "../readiness.ts";

/** Reads the server's state for a monitor. It needs no network, and is fast. */
export async function readServerState(
  folder: Pick<DataFolder, "modules" | "paths" | "findLedger">,
  readiness: Pick<Readiness, "faults" | "healthNotes">,
): Promise<ServerState> {
  const { modules, paths } = folder;
  const { pool, search } = modules;
  const [reasons, measured, poolPeople, poolRevision, sources] = await Promise.all([
    readiness.faults(),
    measureFolder(folder, readiness),
    pool.size(),
    // A new connection shows whether the server still sees what other processes write.
    paths.pool === inMemory ? pool.revision() : readStoredRevision(paths.pool),
    pool.sources(),
  ]);
  const { generation } = search;
  return {
    isReady: reasons.length === 0,
    faults: reasons.length,
    poolPeople,
    poolRevision,
    index: generation && {
      people: generation.developers,
      revision: generation.revision,
      ageSeconds: generation.ageSeconds,
      buildSeconds: generation.buildSeconds,
    },
    sources: sources.map(({ source, developers, lastImportAt }) => ({
      source,
      people: developers,
      lastImportSeconds: Date.parse(lastImportAt) / 1000,
    })),
    files: measureFiles(paths),
    ...measured,
  };
}

/** Reads what does not grow with people. */
export async function measureFolder(
  folder: Pick<DataFolder, "paths" | "findLedger">,
  { healthNotes }: Pick<Readiness, "healthNotes">,
) {
  const { paths } = folder;
  const { backup } = await healthNotes();
  return {
    repositories: listRepositories(folder),
    // The ledgers of a node are in its folder.
    disk: measureDisk(paths.control === inMemory ? paths.ledger : paths.control),
    backupAgeSeconds: backup === null ? null : backup?.ageSeconds,
  };
}

/** Lists the repositories. Undefined means that the ledger is damaged. */
function listRepositories({
  findLedger,
}: Pick<DataFolder, "findLedger">): ServerState["repositories"] {
  try {
    return listLocations(findLedger());
  } catch {
    return undefined;
  }
}

function measureFiles(paths: DataFolder["paths"]): ServerState["files"] {
  return Object.values(paths)
    .filter((path) => path !== inMemory)
    .flatMap((path) => [path, `${path}-wal`, join(dirname(path), indexName)])
    .filter((path, at, all) => all.indexOf(path) === at)
    .flatMap((path) => {
      const bytes = statSync(path, { throwIfNoEntry: false })?.size;
      return bytes === undefined ? [] : [{ file: basename(path), bytes }];
    });
}

function measureDisk(path: string): ServerState["disk"] {
  if (path === inMemory) return undefined;
  const { bavail, blocks, bsize } = statfsSync(dirname(path));
  return { freeBytes: bavail * bsize, bytes: blocks * bsize };
}
