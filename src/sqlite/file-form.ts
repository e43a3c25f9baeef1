/** Reads the version of a file and its size on disk, before the file is opened and migrated. */
import { statSync } from "node:fs";
import { Connection } from "./connection.ts";
import { type DatabaseKind, readFormNumber } from "./database.ts";
import { emptyLog } from "./empty-log.ts";

/**
 * Returns the number of migrations applied to the file.
 * @returns undefined if there is no file, or if `openDatabase` would refuse the file.
 */
export function readFileForm(path: string, kind: DatabaseKind): number | undefined {
  if (measureFile(path) === 0) return undefined;
  try {
    // Without a write-ahead log, the file alone is complete.
    using sqlite = new Connection(path, measureFile(`${path}-wal`) === 0 ? "immutable" : "read");
    sqlite.run("PRAGMA busy_timeout = 10000");
    const isOurs = sqlite.readValue`PRAGMA application_id` === kind.applicationId;
    return isOurs ? readFormNumber(sqlite) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the size of the file and its write-ahead log. */
export function countFileBytes(path: string): number {
  return measureFile(path) + measureFile(`${path}-wal`);
}

/** Moves the write-ahead log into the file, unless another process uses the file. */
export function foldWal(path: string): void {
  using sqlite = new Connection(path, "write");
  emptyLog(sqlite);
}

/** Returns the size of one file; 0 if it does not exist. */
export function measureFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
