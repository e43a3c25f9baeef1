import { mkdtempSync, readdirSync } from "node:fs";
import { lstat, open, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Fault } from "../contract/fault.ts";
import { getDraftPath, listDeadDrafts } from "../sqlite/folder/draft.ts";
import { requireClosed } from "../sqlite/folder/move-files.ts";

const inUse = new Set<string>();

/**
 * Creates a private folder in `parent` for temporary files. First it removes such folders of killed processes.
 * @package @throws Fault if `parent` is missing or cannot be written.
 */
export async function createStagingFolder(parent: string) {
  // One caller may name a folder from the root, and another from here.
  const folder = resolve(parent);
  const start = join(folder, ".roster-backup");
  try {
    for (const path of listAbandoned(folder, start)) await removeGently(path);
    // Between its creation and the next line, no other caller may run: it would remove the folder.
    const path = mkdtempSync(`${getDraftPath(start)}-`);
    inUse.add(path);
    return {
      path,
      /** Removes the folder gradually, because freeing large files at once would block the thread. */
      async [Symbol.asyncDispose]() {
        requireClosed(path);
        await removeGently(path);
        inUse.delete(path);
      },
    };
  } catch (error) {
    throw createFileFault(parent, error);
  }
}

function listAbandoned(parent: string, start: string): readonly string[] {
  // In a container, an earlier process may have had the same id. Its folders are removed too.
  const own = readdirSync(parent)
    .filter((name) => name.startsWith(`${basename(getDraftPath(start))}-`))
    .map((name) => join(parent, name));
  return [...listDeadDrafts(start), ...own.filter((path) => !inUse.has(path))];
}

const bytesFreedAtOnce = 16 * 2 ** 20;
const pauseMilliseconds = 20;

/**
 * Removes a file or folder in small steps, because freeing many blocks at once would delay calls. A file loses its name first:
 * so nobody takes a shortened archive for a whole one, even if the process is killed meanwhile.
 */
export async function removeGently(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isDirectory())
    for (const name of readdirSync(path)) await removeGently(join(path, name));
  const isLarge = stats?.isFile() && stats.nlink === 1 && stats.size > bytesFreedAtOnce;
  await using file = isLarge ? await open(path, "r+").catch(() => undefined) : undefined;
  // A stopped worker thread may still be writing the last file of a folder, so the removal is tried again.
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  let size = file && stats ? stats.size : 0;
  while (size > bytesFreedAtOnce) {
    size -= bytesFreedAtOnce;
    await file?.truncate(size);
    await Bun.sleep(pauseMilliseconds);
  }
}

const inWords: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist: a part of the path is not a folder",
  EISDIR: "is a folder, not a file",
  EACCES: "cannot be used: permission denied",
  EPERM: "cannot be used: permission denied",
  EROFS: "cannot be written: the file system is read-only",
  ENOSPC: "cannot be written: no space is left on its disk",
  SQLITE_FULL: "cannot be written: no space is left on its disk",
  EDQUOT: "cannot be written: the quota of its disk is used up",
  EPIPE: "was closed by its reader before everything was written",
};

const isFull = /^(ENOSPC|EDQUOT|SQLITE_FULL)$/;

/** @package Converts a system error to a Fault. Returns a Fault unchanged. */
export function createFileFault(path: string, error: unknown): Fault {
  if (error instanceof Fault) return error;
  const { code, message = String(error) } = error as { code?: string; message?: string };
  const words = inWords[code ?? ""] ?? `cannot be read or written: ${message}`;
  const known = code === "ENOENT" ? "not_found" : isFull.test(code ?? "") ? "no_space" : "system";
  return new Fault(known, `${path} ${words}.`, { cause: error });
}
