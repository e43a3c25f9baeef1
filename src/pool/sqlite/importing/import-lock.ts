import { Database } from "bun:sqlite";

export type Release = () => void;

/**
 * Lets one import run at a time, across all processes. The operating system frees a SQLite lock when its
 * holder dies for any reason, so a killed import never blocks the next one; a file with a process id would.
 *
 * @package
 * @param path the pool's file; the lock is an empty file beside it. ":memory:" needs none, as it has one owner.
 * @param waitMilliseconds how long to wait for another holder.
 * @returns undefined when another process holds it.
 */
export function lockImports(path: string, waitMilliseconds: number): Release | undefined {
  if (path === ":memory:") return () => {};
  const lock = new Database(`${path}.importing`, { create: true });
  try {
    lock.run(`PRAGMA busy_timeout = ${waitMilliseconds}`);
    // Nothing is ever written, so there is nothing to roll back, and a full disk has no room for a journal.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return undefined;
    throw error;
  }
  return () => {
    lock.run("ROLLBACK");
    lock.close();
  };
}
