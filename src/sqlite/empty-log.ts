import type { Connection } from "./connection.ts";

/**
 * Folds the write-ahead log into its file and cuts it to nothing, so that it takes no space and holds no old bytes.
 * While it waits for readers it blocks writers, so it must give up before they do.
 *
 * @returns false when another connection read or wrote all the time.
 */
export function emptyLog(sqlite: Connection, waitMilliseconds = 0): boolean {
  const usual = sqlite.readValue<number>`PRAGMA busy_timeout` ?? 0;
  sqlite.run(`PRAGMA busy_timeout = ${waitMilliseconds}`);
  try {
    // Its first value is whether it was kept waiting.
    return sqlite.readValue`PRAGMA wal_checkpoint(TRUNCATE)` === 0;
  } finally {
    sqlite.run(`PRAGMA busy_timeout = ${usual}`);
  }
}
