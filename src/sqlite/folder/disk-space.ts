/** Measures the free space of a disk, and refuses work that would leave too little for a running server. */
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../contract/fault.ts";
import { getDraftPath } from "./draft.ts";

/**
 * The space that long work must leave free. The write-ahead logs of a server grow to about 4 MB for each database before they are
 * moved into the database files, and the next search index is written next to the current one.
 */
const serverRoomBytes = 16e6;

/** Returns the number of bytes that this user may still write. */
export function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Refuses work before it starts, rather than when the disk is full.
 * @param path a file in the folder to check; ":memory:" has no disk.
 * @param bytes the space that the work takes.
 * @param roomBytes the space to leave free.
 * @throws Fault (`no_space`) naming the folder, the free space and the space needed.
 */
export function requireRoom(path: string, bytes: number, roomBytes = serverRoomBytes): void {
  if (path === ":memory:") return;
  const folder = dirname(path);
  const free = readFreeBytes(folder);
  const needed = bytes + roomBytes;
  if (free >= needed) return;
  const message = `The disk of ${folder} has ${inMegabytes(free)} free; this needs ${inMegabytes(needed)}, of which ${inMegabytes(roomBytes)} stay free for a server.`;
  throw new Fault("no_space", message);
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/**
 * Whether not even a few bytes can be written to the folder of this file. Call it after a failed write: SQLite can tell a full
 * disk from a broken one, but reports an exhausted quota as a broken disk.
 */
export function isOutOfSpace(path: string): boolean {
  const probe = getDraftPath(path);
  try {
    const file = openSync(probe, "wx", 0o600);
    try {
      writeSync(file, new Uint8Array(probeBytes));
    } finally {
      closeSync(file);
      rmSync(probe, { force: true });
    }
    return false;
  } catch (error) {
    return /^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? "");
  }
}

/** How many bytes to try to write. The shared memory of a write-ahead log grows by this much at a time. */
const probeBytes = 32 * 1024;
