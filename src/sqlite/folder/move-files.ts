/**
 * Renames, links and removes databases with the files beside them, and folders of databases; never one that this process has
 * open (see `connection.ts`). The caller must make sure by a lock that no other process has it open.
 */
import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { findConnections } from "../connection.ts";

/** What SQLite keeps beside a database. */
const ends = ["-wal", "-shm"] as const;

/** @throws Error when either is open here; the system's error. */
export function renameFiles(from: string, to: string): void {
  requireClosed(from);
  requireClosed(to);
  renameSync(from, to);
}

/** Removes a file or a folder with all that is in it, if it is there. @throws Error when it is open here. */
export function removeFiles(path: string): void {
  requireClosed(path);
  rmSync(path, { recursive: true, force: true });
}

/** Removes a database with its log. @throws Error when it is open here. */
export function removeDatabase(path: string): void {
  removeFiles(path);
  removeLog(path);
}

/** Removes the log of a database, which is lost with it. @throws Error when the database is open here. */
export function removeLog(path: string): void {
  requireClosed(path);
  for (const end of ends) rmSync(path + end, { force: true });
}

/**
 * Gives a draft its name. A hard link never replaces a file that was created meanwhile; a file system without links gets
 * a check and a rename.
 *
 * @returns false when there is a file of that name already.
 * @throws Error when the draft is open here.
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

/** @throws Error: moving an open file is a bug of this program, and would damage the file. */
export function requireClosed(path: string): void {
  const [open] = findConnections(path);
  if (open) throw new Error(`${path} cannot be moved: ${open.path} is still open in this process`);
}
