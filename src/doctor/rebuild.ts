import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../contract/fault.ts";
import { databaseNames, indexName } from "../data-files/file-names.ts";
import { openExclusively } from "../sqlite/exclusive.ts";
import { lockFolder } from "../sqlite/folder/folder-lock.ts";
import { removeDatabase, removeFiles } from "../sqlite/folder/move-files.ts";

/** What can be made anew from the rest: the index from the pool, the ledger from the repositories, forges from theirs. */
export const rebuildable = ["index", "ledger", "forges"] as const;
export type Rebuildable = (typeof rebuildable)[number];

/** An index that all nodes share. */
export interface SharedIndex {
  readonly url: string;
  /** Of the program. */
  readonly edition: string;
}

/**
 * Removes what is to be rebuilt, while no server may use the folder. An index in the database goes once its successor is
 * there, so that other nodes search on. The ledger is not kept aside: it names people, and
 * an erasure would not find it there.
 *
 * @param build opens the folder, and so builds the index.
 * @param shared where nodes have their index in the database.
 * @throws Fault when a server uses the folder, another process the ledger, or the database is away.
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

/** What another process goes on writing would be lost with the file. @throws Fault `folder_in_use`. */
function removeUnused(path: string): void {
  try {
    if (existsSync(path)) openExclusively(path).close();
  } catch (error) {
    // One that cannot be opened is what a rebuild is for.
    if (isFault(error, "folder_in_use")) throw error;
  }
  removeDatabase(path);
}

/** A server looks for damage too, and needs none of what is loaded here. */
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

/** Keeps servers out of the folder meanwhile. @throws Fault when one uses it. */
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
