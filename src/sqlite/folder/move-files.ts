/**
 * Renames, links and removes databases with their write-ahead logs, and folders of databases. Refuses a file that this process
 * has open (see `connection.ts`). The caller must hold a lock that keeps other processes from opening the file.
 */
import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { findConnections } from "../connection.ts";

/** Suffixes of the files that SQLite creates next to a database. */
const ends = ["-wal", "-shm"] as const;

/** Renames a file or folder. @throws Error if this process has the old or the new file open. @throws the system's error. */
export function renameFiles(from: string, to: string): void {
  requireClosed(from);
  requireClosed(to);
  renameSync(from, to);
}

/** Removes a file, or a folder with its content, if it exists. @throws Error if this process has it open. */
export function removeFiles(path: string): void {
  requireClosed(path);
  rmSync(path, { recursive: true, force: true });
}

/** Removes a database and its write-ahead log. @throws Error if this process has the database open. */
export function removeDatabase(path: string): void {
  removeFiles(path);
  removeLog(path);
}

/** Removes the write-ahead log of a database. Its commits are lost. @throws Error if this process has the database open. */
export function removeLog(path: string): void {
  requireClosed(path);
  for (const end of ends) rmSync(path + end, { force: true });
}

/**
 * Gives a draft its final name, without replacing an existing file.
 * @returns false if a file with that name exists.
 * @throws Error if this process has the draft open.
 */
export function putInPlace(draft: string, path: string): boolean {
  requireClosed(draft);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "EEXIST" || existsSync(path)) return false;
    renameSync(draft, path);
    return true;
  }
}

/** @throws Error if this process has the file open, because moving the file would damage it. */
export function requireClosed(path: string): void {
  const [open] = findConnections(path);
  if (open) throw new Error(`${path} cannot be moved: ${open.path} is still open in this process`);
}
