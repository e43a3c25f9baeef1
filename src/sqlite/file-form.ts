/** Reads the version of a file and its size on disk, before the file is opened and migrated. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { Connection } from "./connection.ts";
import type { DatabaseKind } from "./database.ts";

/**
 * Returns the number of migrations applied to the file.
 * @returns undefined if there is no file, or if `openDatabase` would refuse the file.
 */
export function readFileForm(path: string, kind: DatabaseKind): number | undefined {
  if (countBytes(path) === 0) return undefined;
  // Without a write-ahead log, the file alone is complete and can be read directly.
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

/** The places of two numbers in SQLite's file header. Each number has 32 bits, highest byte first. */
const header = { bytes: 100, form: 60, applicationId: 68 };

/** Reads the number of migrations from the file's header. */
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

/** Returns the size of the file and its write-ahead log. */
export function countFileBytes(path: string): number {
  return countBytes(path) + countBytes(`${path}-wal`);
}

/** Moves the write-ahead log into the file, unless another process uses the file. */
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
