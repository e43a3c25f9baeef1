import { existsSync } from "node:fs";
import { join } from "node:path";
import { closeAtEnd } from "../contract/close-at-end.ts";
import { isFault } from "../contract/fault.ts";
import { databaseNames, indexName } from "../data-files/file-names.ts";
import { openExclusively } from "../sqlite/exclusive.ts";
import { lockFolder } from "../sqlite/folder/folder-lock.ts";
import { removeDatabase, removeFiles } from "../sqlite/folder/move-files.ts";

/** Data that can be rebuilt: the search index, the ledger of repositories, and the ledger of forges. */
export const rebuildable = ["index", "ledger", "forges"] as const;
export type Rebuildable = (typeof rebuildable)[number];

export interface SharedIndex {
  readonly url: string;
  readonly edition: string;
}

/**
 * Rebuilds the index, or removes a ledger so that the next run fills it again. The folder is locked meanwhile.
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

/** Removes a database. @throws Fault `folder_in_use` if a process uses it. */
function removeUnused(path: string): void {
  try {
    if (existsSync(path)) openExclusively(path).close();
  } catch (error) {
    // A file that cannot be opened is removed too.
    if (isFault(error, "folder_in_use")) throw error;
  }
  removeDatabase(path);
}

/** Replaces the shared index. The modules are loaded here, because a running server does not need them. */
async function replaceShared(
  { url, edition }: SharedIndex,
  build: () => Promise<void>,
): Promise<void> {
  const [{ openPostgres }, { replaceIndex }] = await Promise.all([
    import("../postgres/database.ts"),
    import("../search/database/database-index.ts"),
  ]);
  await using database = closeAtEnd(await openPostgres({ url, connectionsMax: 1 }));
  await replaceIndex(database, edition, build);
}

/** Runs the work while the folder is locked. @throws Fault if a server uses the folder. */
export async function runLocked<Result>(
  folder: string,
  work: () => Promise<Result>,
): Promise<Result> {
  using _lock = lockFolder(folder);
  return await work();
}
