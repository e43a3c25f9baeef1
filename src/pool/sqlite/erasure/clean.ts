/**
 * Deleting is not enough: what a page held before may lie on in its unused part, in the write-ahead log
 * and in freed pages. The file is written anew without it, and the log emptied.
 */
import type { Database } from "../../../sqlite/database.ts";

/** The log can be emptied only between two readings, and a running server's next index may take seconds to read. */
const attemptsUsual = 40;
const pauseMilliseconds = 250;
/** While it waits for readers, a checkpoint keeps writers out: it must not wait as long as they do. */
const waitMilliseconds = 500;
const usualWaitMilliseconds = 10_000;

/**
 * @package
 * @param attempts how often to try to empty the log, at most 0.75 seconds each.
 * @returns what hindered it, in words; then old bytes may still lie in the files, and it is to be done again.
 */
export function cleanFiles({ sqlite }: Database, attempts = attemptsUsual): string | undefined {
  try {
    sqlite.run("VACUUM");
    return emptyLog(sqlite, attempts) ? undefined : "another process keeps reading the pool";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function emptyLog(sqlite: Database["sqlite"], attempts: number): boolean {
  sqlite.run(`PRAGMA busy_timeout = ${waitMilliseconds}`);
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const row = sqlite.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get();
      if (row?.busy === 0) return true;
      Bun.sleepSync(pauseMilliseconds);
    }
    return false;
  } finally {
    sqlite.run(`PRAGMA busy_timeout = ${usualWaitMilliseconds}`);
  }
}
