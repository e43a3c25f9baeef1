/** What can be known of a file before it is opened for good: the form it has, and what it takes of the disk. */
import { constants, Database as Sqlite } from "bun:sqlite";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { DatabaseKind } from "./database.ts";

/**
 * How many migrations the file has had. Only reads; where a crash left a WAL behind, SQLite puts the index of that
 * WAL (`-shm`) beside it.
 *
 * @returns `undefined` without a file, or for one that `openDatabase` refuses anyway.
 */
export function readFileForm(path: string, kind: DatabaseKind): number | undefined {
  if (countBytes(path) === 0) return undefined;
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  // Without a WAL the file alone is the truth, and nothing needs to be put beside it.
  const mode = countBytes(`${path}-wal`) > 0 ? "mode=ro" : "immutable=1";
  let sqlite: Sqlite | undefined;
  try {
    sqlite = new Sqlite(
      `${pathToFileURL(path).href}?${mode}`,
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
    );
    sqlite.run("PRAGMA busy_timeout = 10000");
    const read = sqlite.query<{ id: number; form: number }, []>(
      "SELECT application_id AS id, user_version AS form FROM pragma_application_id, pragma_user_version",
    );
    const row = read.get();
    return row?.id === kind.applicationId ? row.form : undefined;
  } catch {
    return undefined;
  } finally {
    sqlite?.close();
  }
}

/** Of the file and its WAL. */
export function countFileBytes(path: string): number {
  return countBytes(path) + countBytes(`${path}-wal`);
}

/** Writes into the file what its WAL holds, unless another process is using it. */
export function foldWal(path: string): void {
  const sqlite = new Sqlite(path, constants.SQLITE_OPEN_READWRITE);
  try {
    sqlite.run("PRAGMA busy_timeout = 0");
    sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    sqlite.close();
  }
}

function countBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
