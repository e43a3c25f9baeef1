import type { Connection } from "./connection.ts";

/**
 * Folds the write-ahead log into its file and cuts it to nothing, so that it takes no space and holds no old bytes.
 * While it waits for readers it blocks writers, so it must give up before they do.
 *
 * @returns false when another connection read or wrote all the time.
 */
export function emptyLog(sqlite: Connection, waitMilliseconds = 0): boolean {
  const usual = sqlite.query<{ timeout: number }, []>("PRAGMA busy_timeout").get()?.timeout ?? 0;
  sqlite.run(`PRAGMA busy_timeout = ${waitMilliseconds}`);
  try {
    const row = sqlite.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get();
    return row?.busy === 0;
  } finally {
    sqlite.run(`PRAGMA busy_timeout = ${usual}`);
  }
}
