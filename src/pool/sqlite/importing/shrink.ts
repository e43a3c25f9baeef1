/**
 * Gives pages that are in use no more back to the file system, in short transactions. They are moved through the log,
 * which is folded back and used again after each 4 MB, so this works on a disk with little room.
 */
import type { Database } from "../../../sqlite/database.ts";
import { emptyLog } from "../../../sqlite/empty-log.ts";

/** About 2 ms of moving. */
const pagesPerStep = 256;

/**
 * Does nothing for a file that was made before pools could shrink, until an erasure rewrites it.
 *
 * @package
 * @param steps at most so many; the rest waits for the next call.
 * @returns whether more is left to give back.
 */
export function shrinkPool({ sqlite }: Database, steps = Number.POSITIVE_INFINITY): boolean {
  const shrink = sqlite.prepare(`PRAGMA incremental_vacuum(${pagesPerStep})`);
  const free = sqlite.prepare<{ freelist_count: number }, []>("PRAGMA freelist_count");
  const countFree = () => free.get()?.freelist_count ?? 0;
  try {
    let left = countFree();
    for (let step = 0; step < steps && left > 0; step++) {
      // It must be read to its end: it moves one page a row.
      shrink.all();
      const before = left;
      left = countFree();
      if (left >= before) return false;
    }
    // The file gets shorter only as the log is folded back. A reader who prevents it now will not the next time.
    if (left === 0) emptyLog(sqlite);
    return left > 0;
  } finally {
    shrink.finalize();
    free.finalize();
  }
}
