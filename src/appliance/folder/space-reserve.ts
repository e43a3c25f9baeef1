/**
 * Manages space on a server's disk. The reserve is a file that is removed when a start or an erasure finds the disk full: both
 * must work, and both write. The server also frees, a little at a time, the space that dead imports have left.
 */
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../operations/log-call.ts";
import type { Pool } from "../../pool/pool.ts";
import { readFreeBytes } from "../../sqlite/folder/disk-space.ts";
import { getDraftPath, removeDeadDrafts } from "../../sqlite/folder/draft.ts";

/** The size of the reserve. An erasure writes well under 1 MB until the person is hidden; a start even less. */
const reserveBytes = 8 * 2 ** 20;
/** The reserve is made only when it is a small part of the free space. */
const amplePerReserve = 8;
const fullBytes = 2 * 2 ** 20;

const getReservePath = (folder: string) => join(folder, "server.reserve");

/** Removes the reserve if the disk is full. */
export function releaseReserve(folder: string): void {
  if (readFreeBytes(folder) < fullBytes) rmSync(getReservePath(folder), { force: true });
}

export interface ErasureFinisher {
  /** Finishes interrupted erasures, if possible. */
  look(): Promise<void>;
  /** Ends the work under way, which continues after the next start. */
  end(): void;
}

const checkMilliseconds = 60_000;
/** The pause between two pieces of work, so that calls do not wait for them. */
const pauseMilliseconds = 100;

/**
 * Makes the reserve when there is room, frees space, and finishes erasures that lacked space; soon after the start, and once a
 * minute.
 */
export function watchSpace(
  folder: string,
  pool: Pick<Pool, "reclaim">,
  log: Pick<Log, "warn">,
  erasures: ErasureFinisher,
): { stop(): void } {
  let isStopped = false;
  let isRunning = false;
  const check = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      makeReserve(folder);
      while (!isStopped && (await pool.reclaim())) await Bun.sleep(pauseMilliseconds);
      if (!isStopped) await erasures.look();
    } catch (error) {
      log.warn({ err: error }, "space could not be reserved or given back");
    } finally {
      isRunning = false;
    }
  };
  const first = setTimeout(() => void check(), pauseMilliseconds);
  first.unref();
  const timer = setInterval(() => void check(), checkMilliseconds);
  timer.unref();
  return {
    stop: () => {
      isStopped = true;
      erasures.end();
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}

function makeReserve(folder: string): void {
  const path = getReservePath(folder);
  removeDeadDrafts(path);
  if (statSync(path, { throwIfNoEntry: false })?.size === reserveBytes) return;
  if (readFreeBytes(folder) < amplePerReserve * reserveBytes) return;
  const draft = getDraftPath(path);
  const file = openSync(draft, "wx", 0o600);
  try {
    // Random bytes, because some file systems store zeros in no space at all.
    const block = crypto.getRandomValues(new Uint8Array(65_536));
    for (let at = 0; at < reserveBytes; at += block.length) writeSync(file, block);
    renameSync(draft, path);
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}
