/** Reads what can be known of a file before it is opened and migrated: its form, and its size on disk. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { Connection } from "./connection.ts";
import type { DatabaseKind } from "./database.ts";

/**
 * How many migrations the file has had. Only reads; where a crash left a WAL behind, SQLite puts the index of that
 * WAL (`-shm`) beside it.
 *
 * @returns `undefined` without a file, or for one that `openDatabase` refuses anyway.
 */
export function readFileForm(path: string, kind: DatabaseKind): number | undefined {
  if (countBytes(path) === 0) return undefined;
  // Without a WAL the file alone is the truth, and nothing needs to be put beside it.
  if (countBytes(`${path}-wal`) === 0) return readHeader(path, kind);
  let sqlite: Connection | undefined;
  try {
    sqlite = new Connection(path, "read");
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

/** Where SQLite's file format has both numbers, as 32 bits with the highest first. */
const header = { bytes: 100, form: 60, applicationId: 68 };

/** Reads what a query would return, without the milliseconds of opening the database. */
function readHeader(path: string, kind: DatabaseKind): number | undefined {
  const bytes = Buffer.alloc(header.bytes);
  try {
    const file = openSync(path, "r");
    try {
      readSync(file, bytes, 0, header.bytes, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
  const isDatabase = bytes.toString("latin1", 0, 16) === "SQLite format 3\0";
  const isOurs = isDatabase && bytes.readInt32BE(header.applicationId) === kind.applicationId;
  return isOurs ? bytes.readInt32BE(header.form) : undefined;
}

/** The bytes of the file and its WAL. */
export function countFileBytes(path: string): number {
  return countBytes(path) + countBytes(`${path}-wal`);
}

/** Writes into the file what its WAL holds, unless another process is using it. */
export function foldWal(path: string): void {
  const sqlite = new Connection(path, "write");
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
