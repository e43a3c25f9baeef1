import { rmSync } from "node:fs";
import { join } from "node:path";
import { lockFolder } from "../sqlite/folder/folder-lock.ts";

/** What can be made anew from the rest: the index from the pool, the ledger from the repositories, forges from theirs. */
export const rebuildable = ["index", "ledger", "forges"] as const;
export type Rebuildable = (typeof rebuildable)[number];

const files = {
  index: ["search.index"],
  ledger: ["ingest.db", "ingest.db-wal", "ingest.db-shm"],
  forges: ["forges.db", "forges.db-wal", "forges.db-shm"],
};

/**
 * Removes what is to be rebuilt, while no server may use the folder. The ledger is not kept aside: it names people, and
 * an erasure would not find it there.
 *
 * @param build opens the folder, and so builds the index.
 * @throws Fault when a server uses the folder.
 */
export async function rebuild(
  folder: string,
  what: Rebuildable,
  build: () => Promise<void>,
): Promise<void> {
  await runLocked(folder, async () => {
    for (const name of files[what]) rmSync(join(folder, name), { force: true });
    if (what === "index") await build();
  });
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
