/**
 * Renames, links and removes databases together with their write-ahead logs, and folders of databases. Refuses to touch a file
 * that this process has open (see `connection.ts`). The caller must hold a lock that keeps other processes from opening it.
 */
import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { findConnections } from "../connection.ts";

/** Suffixes of the files that SQLite creates next to a database. */
const ends = ["-wal", "-shm"] as const;

/** Renames a file or folder. @throws Error if this process has the old or the new file open; the system's error. */
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

/** Removes the write-ahead log of a database, and loses its commits. @throws Error if this process has the database open. */
export function removeLog(path: string): void {
  requireClosed(path);
  for (const end of ends) rmSync(path + end, { force: true });
}

/**
 * Gives a draft its final name. A hard link never replaces a file that was created meanwhile. On a file system without hard
 * links, it checks for such a file and then renames.
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

/** @throws Error if this process has the file open: moving it would be a bug and would damage the file. */
export function requireClosed(path: string): void {
  const [open] = findConnections(path);
  if (open) throw new Error(`${path} cannot be moved: ${open.path} is still open in this process`);
}
