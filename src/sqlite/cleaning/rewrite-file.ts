import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import type { Database, DatabaseKind } from "../database.ts";
import { emptyLog } from "../empty-log.ts";
import { requireRoom } from "../folder/disk-space.ts";
import { readPages } from "../pages.ts";

/** A file up to this size is copied in memory, so that the disk needs room for one copy only: the one in the log. */
const copiedInMemoryMax = 128 * 2 ** 20;
const waitMilliseconds = 500;
/** The space is given back in a moment, and an erasure must work on a small disk too. */
const roomBytes = 2e6;

/**
 * Rewrites a file without what was deleted, which takes as much space as all that is in use. The log is emptied
 * first: it holds most old bytes, and that gives space back. Then the log holds the new file, and is to be emptied.
 *
 * @throws Fault (`no_space`) when there is too little room; SQLite's error when it cannot be rewritten now.
 */
export function rewriteFile(
  { sqlite, path }: Database,
  { isShrinkable = false }: Pick<DatabaseKind, "isShrinkable"> = {},
): void {
  emptyLog(sqlite, waitMilliseconds);
  const { usedBytes } = readPages({ sqlite });
  const isInMemory = usedBytes <= copiedInMemoryMax;
  requireRoom(path, isInMemory || !isTemporaryBeside(path) ? usedBytes : 2 * usedBytes, roomBytes);
  sqlite.run(`PRAGMA temp_store = ${isInMemory ? "MEMORY" : "DEFAULT"}`);
  // A file of an earlier version learns to give space back as it is rewritten.
  if (isShrinkable) sqlite.run("PRAGMA auto_vacuum = INCREMENTAL");
  sqlite.run("VACUUM");
}

/** SQLite takes the first of several folders for its copy; all that matters is whether it shares our disk. */
function isTemporaryBeside(path: string): boolean {
  const diskOf = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.dev;
  const own = diskOf(dirname(path));
  return [tmpdir(), "/var/tmp", "/tmp"].some((folder) => diskOf(folder) === own);
}
