/**
 * Deleting is not enough: old bytes may remain in the unused part of a page, in freed pages and in the
 * write-ahead log. So the file is rewritten without them, and the log is emptied.
 */
import type { Database } from "../../../sqlite/database.ts";

/** The log can be emptied only while nobody reads, and a running server may take seconds to read for its next index. */
const attemptsUsual = 40;
const pauseMilliseconds = 250;
/** A checkpoint that waits for readers blocks writers, so it must wait less long than they do. */
const waitMilliseconds = 500;
const usualWaitMilliseconds = 10_000;

/**
 * @package
 * @param attempts how often to try to empty the log, at most 0.75 seconds each.
 * @returns what prevented it, in words: then old bytes may remain in the files, and it must be repeated.
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
