/** A pool that was filled when the program was built, so that the first start analyzes nobody. */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { Fault } from "../../../contract/fault.ts";
import { copyDatabase } from "../../../sqlite/copy-database.ts";
import { openDatabase } from "../../../sqlite/database.ts";
import { renameFile } from "../../../sqlite/file-state.ts";
import { requireRoom } from "../../../sqlite/folder/disk-space.ts";
import { getDraftPath, removeDeadDrafts } from "../../../sqlite/folder/draft.ts";
import { putInPlace, removeDatabase } from "../../../sqlite/folder/move-files.ts";
import { toStoreFault } from "../../../sqlite/store-fault.ts";
import { poolFile } from "../pool-file.ts";
import { poolTables } from "../tables.ts";

const { imports, sourceCounts } = poolTables;

/**
 * Writes the file that `placeReadyPool` reads. The same people give the same bytes.
 * @param path the pool, which no process may have open.
 */
export function writeReadyPool(path: string, copy: string): void {
  const pool = openDatabase(path, poolFile);
  try {
    renameFile(pool, "");
  } finally {
    pool.close();
  }
  copyDatabase(path, copy);
}

/**
 * Creates a pool from people who were judged when the program was built, with a random name and as if imported now. Never
 * replaces an existing pool.
 * @param content the file that `writeReadyPool` wrote.
 * @throws Fault `no_space` if the disk has too little room.
 */
export function placeReadyPool(path: string, content: Uint8Array, now: Date): void {
  requireRoom(path, content.byteLength);
  removeDeadDrafts(path);
  const draft = getDraftPath(path);
  try {
    writeSynced(draft, content);
    const pool = openDatabase(draft, poolFile);
    try {
      const at = now.toISOString();
      renameFile(pool, crypto.randomUUID().replaceAll("-", ""));
      pool.orm.update(imports).set({ startedAt: at, committedAt: at }).run();
      pool.orm.update(sourceCounts).set({ lastImportAt: at }).run();
    } finally {
      pool.close();
    }
    putInPlace(draft, path);
  } catch (error) {
    throw toWriteFault(error, path);
  } finally {
    removeDatabase(draft);
  }
}

function writeSynced(path: string, content: Uint8Array): void {
  const file = openSync(path, "wx", 0o600);
  try {
    for (let at = 0; at < content.byteLength; ) at += writeSync(file, content, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function toWriteFault(error: unknown, path: string): unknown {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (!/^E[A-Z]+$/.test(code)) return toStoreFault(error, path);
  const isFull = /^(ENOSPC|EDQUOT)$/.test(code);
  const text = `${path} cannot be written: ${isFull ? "its disk is full" : message}.`;
  return new Fault(isFull ? "no_space" : "store", text, { cause: error });
}
