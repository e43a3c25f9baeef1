/** Lets one import run at a time, across all processes of a data folder. */
import {
  lockFile,
  lockWithNote,
  type NotedLock,
  readLockNote,
} from "../../../sqlite/folder/noted-lock.ts";
import type { ImportUnderWay, ProgressNote } from "../../pool.ts";
import {
  createRunningFault,
  describeHolder,
  parseProgress,
} from "../../rows/importing/import-notes.ts";

/** @package What holds the lock. */
export interface HeldFile {
  readonly release: () => void;
  /** Writes into the note how far it is: at most once a second, whatever the caller does. */
  noteProgress(progress: ProgressNote): void;
}

/**
 * @param path the pool's file; the lock is an empty file beside it. ":memory:" needs none, as it has one owner.
 * @param waitMilliseconds how long to wait for another holder.
 * @returns what releases it; undefined when another process holds it.
 */
export function lockImports(path: string, waitMilliseconds: number): (() => void) | undefined {
  return path === ":memory:" ? () => {} : lockFile(lockPath(path), waitMilliseconds);
}

/**
 * Takes the lock and notes beside it who has it, since when and for what.
 *
 * @package
 * @throws Fault `import_running` with the words of the holder.
 */
export function takeImportLock(
  path: string,
  source: string,
  { waitMilliseconds, now }: { readonly waitMilliseconds: number; readonly now: () => Date },
): HeldFile {
  if (path === ":memory:") return { release() {}, noteProgress() {} };
  const lock = lockWithNote(lockPath(path), describeHolder(source, now()), waitMilliseconds);
  if (!lock) throw createRunningFault(readLockNote(lockPath(path)).holder);
  return { release: lock.release, noteProgress: createNoter(lock) };
}

function createNoter({ note }: Pick<NotedLock, "note">): HeldFile["noteProgress"] {
  let notedMs = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const nowMs = performance.now();
    if (nowMs - notedMs < noteEveryMs) return;
    notedMs = nowMs;
    const label = progress.label?.slice(0, labelLengthMax);
    note(JSON.stringify({ ...progress, ...(label !== undefined && { label }) }));
  };
}

const noteEveryMs = 1000;
const labelLengthMax = 300;

/** @package @returns what imports now, in any process; undefined when nothing does. */
export function readUnderWay(path: string): ImportUnderWay | undefined {
  const { holder, more } = readLockNote(lockPath(path));
  // Where nothing began, the lock is not asked: who asks holds it for a moment, and a start of an import would have to wait.
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
