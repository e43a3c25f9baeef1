/** Returns unused pages to the file system, in short transactions. This works even if the disk is nearly full. */
import type { Database } from "../../../sqlite/database.ts";
import { emptyLog } from "../../../sqlite/empty-log.ts";

/** Moving this many pages takes about 2 ms. */
const pagesPerStep = 256;

/**
 * Shrinks the file.
 * @package
 * @param steps the most steps. The next call does the rest.
 * @returns whether unused pages are left.
 */
export function shrinkPool({ sqlite }: Database, steps = Number.POSITIVE_INFINITY): boolean {
  const shrink = sqlite.prepare(`PRAGMA incremental_vacuum(${pagesPerStep})`);
  const free = sqlite.prepare<{ freelist_count: number }, []>("PRAGMA freelist_count");
  const countFree = () => free.get()?.freelist_count ?? 0;
  try {
    let left = countFree();
    for (let step = 0; step < steps && left > 0; step++) {
      // Reads all rows of the result, because each row moves one page.
      shrink.all();
      const before = left;
      left = countFree();
      if (left >= before) return false;
    }
    // The file shrinks only when the write-ahead log is folded into it.
    if (left === 0) emptyLog(sqlite);
    return left > 0;
  } finally {
    shrink.finalize();
    free.finalize();
  }
}
