/** Measures the free space of a file's disk, and keeps enough free for a server that runs on it. */
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../contract/fault.ts";
import { getDraftPath } from "./draft.ts";

/**
 * The space that long work leaves free: the logs of the databases that a server writes grow to about 4 MB each before they are
 * folded back, and the next index is written beside the present one.
 */
const serverRoomBytes = 16e6;

/** The bytes that this user may still write. */
export function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Refuses work before it starts rather than when the disk is full.
 *
 * @param path a file in the folder in question; ":memory:" has no disk.
 * @param bytes what the work itself takes.
 * @param roomBytes what stays free beside it.
 * @throws Fault (`no_space`) naming the folder, what is free and what is needed.
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
 * Whether not even a few bytes beside this file can be written. Asked after a failed write, because SQLite tells a
 * full disk from a broken one, but not a quota that is used up.
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

/** The shared memory of a log grows by this much at a time. */
const probeBytes = 32 * 1024;
