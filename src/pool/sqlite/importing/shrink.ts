/**
 * Returns unused pages to the file system, in short transactions. Pages move through the write-ahead log, which is folded into
 * the file after every 4 MB, so this works on a nearly full disk.
 */
import type { Database } from "../../../sqlite/database.ts";
import { emptyLog } from "../../../sqlite/empty-log.ts";

/** Moving this many pages takes about 2 ms. */
const pagesPerStep = 256;

/**
 * Shrinks the file. A file of an early version cannot shrink until an erasure rewrites it.
 *
 * @package
 * @param steps the most steps; the rest waits for the next call.
 * @returns whether unused pages are left.
 */
export function shrinkPool({ sqlite }: Database, steps = Number.POSITIVE_INFINITY): boolean {
  const shrink = sqlite.prepare(`PRAGMA incremental_vacuum(${pagesPerStep})`);
  const free = sqlite.prepare<{ freelist_count: number }, []>("PRAGMA freelist_count");
  const countFree = () => free.get()?.freelist_count ?? 0;
  try {
    let left = countFree();
    for (let step = 0; step < steps && left > 0; step++) {
      // Reads all rows of the result, since each row moves one page.
      shrink.all();
      const before = left;
      left = countFree();
      if (left >= before) return false;
    }
    // The file shrinks only when the write-ahead log is folded into it. If a reader prevents that, the next call does it.
    if (left === 0) emptyLog(sqlite);
    return left > 0;
  } finally {
    shrink.finalize();
    free.finalize();
  }
}
