import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../contract/fault.ts";
import { databaseNames, indexName } from "../data-files/file-names.ts";
import { openExclusively } from "../sqlite/exclusive.ts";
import { lockFolder } from "../sqlite/folder/folder-lock.ts";
import { removeDatabase, removeFiles } from "../sqlite/folder/move-files.ts";

/** Data that can be rebuilt: the index from the pool, the ledger from the repositories, the forge ledger from the forges. */
export const rebuildable = ["index", "ledger", "forges"] as const;
export type Rebuildable = (typeof rebuildable)[number];

export interface SharedIndex {
  readonly url: string;
  readonly edition: string;
}

/**
 * Removes the data to rebuild, while the folder is locked. An index in the database is removed only after its replacement exists,
 * so that other nodes can search meanwhile. No copy of the ledger remains: it names people, and erasures would not reach a copy.
 * @param build opens the folder, which builds the index.
 * @param shared the index in the database, if nodes use one.
 * @throws Fault if a server uses the folder, another process uses the ledger, or the database is away.
 */
export async function rebuild(
  folder: string,
  what: Rebuildable,
  build: () => Promise<void>,
  shared?: SharedIndex,
): Promise<void> {
  await runLocked(folder, async () => {
    if (what !== "index") return removeUnused(join(folder, databaseNames[what]));
    removeFiles(join(folder, indexName));
    if (shared) await replaceShared(shared, build);
    else await build();
  });
}

/** Removes a database, unless a process uses it: that process would lose its writes. @throws Fault `folder_in_use`. */
function removeUnused(path: string): void {
  try {
    if (existsSync(path)) openExclusively(path).close();
  } catch (error) {
    // A file that cannot be opened is also removed: the rebuild replaces it.
    if (isFault(error, "folder_in_use")) throw error;
  }
  removeDatabase(path);
}

/** Replaces the shared index. Its modules are loaded only here, because a running server loads this file without using them. */
async function replaceShared(
  { url, edition }: SharedIndex,
  build: () => Promise<void>,
): Promise<void> {
  const [{ openPostgres }, { replaceIndex }] = await Promise.all([
    import("../postgres/database.ts"),
    import("../search/database/database-index.ts"),
  ]);
  const database = await openPostgres({ url, connectionsMax: 1 });
  try {
    await replaceIndex(database, edition, build);
  } finally {
    await database.close();
  }
}

/** Runs the work while the folder is locked, so that no server can start. @throws Fault if a server uses the folder. */
export async function runLocked<Result>(
  folder: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = lockFolder(folder);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
