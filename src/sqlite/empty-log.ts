import type { Connection } from "./connection.ts";

/**
 * Moves the write-ahead log into its database file and truncates the log to zero.
 * @param waitMilliseconds how long to wait for readers. Writers wait meanwhile, so it must be less than their `busyMilliseconds`.
 * @returns false if another connection read or wrote all the time.
 */
export function emptyLog(sqlite: Connection, waitMilliseconds = 0): boolean {
  const usual = sqlite.readValue<number>`PRAGMA busy_timeout` ?? 0;
  sqlite.run(`PRAGMA busy_timeout = ${waitMilliseconds}`);
  try {
    // The first value of the result is 1 if the checkpoint was blocked.
    return sqlite.readValue`PRAGMA wal_checkpoint(TRUNCATE)` === 0;
  } finally {
    sqlite.run(`PRAGMA busy_timeout = ${usual}`);
  }
}
