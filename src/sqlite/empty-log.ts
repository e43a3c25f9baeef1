import type { Connection } from "./connection.ts";

/**
 * Folds the write-ahead log into its file and truncates it to zero, so that it takes no space and holds no old bytes.
 * While it waits for readers it blocks writers, so it must give up before they do.
 *
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
