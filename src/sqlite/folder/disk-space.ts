/** Measures the free space of a disk, and refuses work that would leave too little for a running server. */
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../contract/fault.ts";
import { getDraftPath } from "./draft.ts";

/**
 * The number of bytes that long work must leave free for a running server: for its write-ahead logs and its next search index.
 */
const serverRoomBytes = 16e6;

/** Returns the number of bytes that this user may still write. */
export function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Refuses work if the disk has too little room for it.
 * @param path a file in the folder to check. ":memory:" is never refused.
 * @param bytes the space that the work takes.
 * @param roomBytes the space to leave free.
 * @throws Fault `no_space`, which names the folder, the free space and the space needed.
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
 * Whether the folder of this file is out of space. Call it after a failed write, because SQLite reports an exhausted quota as a
 * broken disk.
 */
export function isOutOfSpace(path: string): boolean {
  const probe = getDraftPath(path);
  try {
    writeFileSync(probe, new Uint8Array(probeBytes), { flag: "wx", mode: 0o600 });
    return false;
  } catch (error) {
    return /^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    rmSync(probe, { force: true });
  }
}

/** The number of bytes to write as a test. */
const probeBytes = 32 * 1024;
