import { mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { basename, join } from "node:path";
import { Fault } from "../contract/fault.ts";
import { getDraftPath, removeDeadDrafts } from "../sqlite/folder/draft.ts";

/**
 * A private folder for files that are not whole yet, or needed for a moment.
 *
 * @package
 */
export interface StagingFolder {
  readonly path: string;
  remove(): void;
}

const inUse = new Set<string>();

/**
 * Creates one below `parent`, after removing those that killed processes have left there.
 *
 * @package
 * @throws Fault when `parent` is missing or cannot be written.
 */
export function createStagingFolder(parent: string): StagingFolder {
  const start = join(parent, ".roster-backup");
  try {
    removeAbandoned(parent, start);
    const path = mkdtempSync(`${getDraftPath(start)}-`);
    inUse.add(path);
    return {
      path,
      remove: () => {
        // A thread that was stopped may be writing its last file.
        rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
        inUse.delete(path);
      },
    };
  } catch (error) {
    throw createFileFault(parent, error);
  }
}

function removeAbandoned(parent: string, start: string): void {
  removeDeadDrafts(start);
  // In a container each process has the id of the one before it.
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    const isOwn = name.startsWith(`${basename(getDraftPath(start))}-`);
    if (isOwn && !inUse.has(path)) rmSync(path, { recursive: true, force: true });
  }
}

/** Not even a backup may fill the disk that calls are counted on. */
const reserveBytes = 16 * 2 ** 20;

/**
 * @package
 * @param what needs the room, as the subject of a sentence.
 * @throws Fault when the disk of `folder` has not so many bytes left.
 */
export function requireSpace(folder: string, bytes: number, what: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const needed = bytes + reserveBytes;
  if (free >= needed) return;
  const text = `${what} needs ${formatMebibytes(needed)} in ${folder}, where ${formatMebibytes(free)} are free.`;
  throw new Fault("system", text);
}

function formatMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20).toLocaleString("en")} MiB`;
}

const inWords: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist: a part of the path is no folder",
  EISDIR: "is a folder, not a file",
  EACCES: "cannot be used: permission denied",
  EPERM: "cannot be used: permission denied",
  EROFS: "cannot be written: the file system is read-only",
  ENOSPC: "cannot be written: no space is left on its disk",
  SQLITE_FULL: "cannot be written: no space is left on its disk",
  EPIPE: "was closed by its reader before everything was written",
};

/** @package A Fault stays as it is; an error of the system is put in words. */
export function createFileFault(path: string, error: unknown): Fault {
  if (error instanceof Fault) return error;
  const { code, message = String(error) } = error as { code?: string; message?: string };
  const words = inWords[code ?? ""] ?? `cannot be read or written: ${message}`;
  return new Fault(code === "ENOENT" ? "not_found" : "system", `${path} ${words}.`, {
    cause: error,
  });
}
