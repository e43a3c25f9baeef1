/** Lets only one import run at a time, across all processes of a data folder. */
import { lockFile, lockWithNote, readLockNote } from "../../../sqlite/folder/noted-lock.ts";
import type { ImportUnderWay } from "../../pool.ts";
import {
  createNoter,
  createRunningFault,
  describeHolder,
  parseProgress,
} from "../../rows/importing/import-notes.ts";
import type { ImportSession } from "../../rows/importing/importing.ts";

/**
 * @param path the pool's file. The lock is an empty file next to it.
 * @param waitMilliseconds how long to wait for another holder.
 * @returns a function that releases the lock. Undefined if another process holds it.
 */
export function lockImports(path: string, waitMilliseconds: number): (() => void) | undefined {
  return path === ":memory:" ? () => {} : lockFile(lockPath(path), waitMilliseconds);
}

/**
 * Takes the lock, and describes the holder in a note next to it.
 * @package
 * @throws Fault `import_running`, which names the holder.
 */
export function takeImportLock(
  path: string,
  source: string,
  { waitMilliseconds, now }: { readonly waitMilliseconds: number; readonly now: () => Date },
): Pick<ImportSession, "release" | "noteProgress"> {
  if (path === ":memory:") return { release() {}, noteProgress() {} };
  const lock = lockWithNote(lockPath(path), describeHolder(source, now()), waitMilliseconds);
  if (!lock) throw createRunningFault(readLockNote(lockPath(path)).holder);
  return { release: lock.release, noteProgress: createNoter(lock.note) };
}

/** @package @returns the import that runs now, in any process. Undefined if none runs. */
export function readUnderWay(path: string): ImportUnderWay | undefined {
  const { holder, more } = readLockNote(lockPath(path));
  // Tests the lock only if there is a note, because the test holds the lock for a moment.
  if (holder === "" || !isLocked(path)) return undefined;
  return { holder, progress: parseProgress(more) };
}

function isLocked(path: string): boolean {
  const release = lockImports(path, 0);
  release?.();
  return !release;
}

function lockPath(path: string): string {
  return `${path}.importing`;
}
