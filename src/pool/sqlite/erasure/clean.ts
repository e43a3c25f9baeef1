import type { Database } from "../../../sqlite/database.ts";
import { emptyLog } from "../../../sqlite/empty-log.ts";
import { rewriteFile } from "../../../sqlite/rewrite-file.ts";
import { toStoreFault } from "../../../sqlite/store-fault.ts";

/** The log can be emptied only while no process reads, and a running server may read for seconds to build its next index. */
const attemptsUsual = 40;
const pauseMilliseconds = 250;
const waitMilliseconds = 500;

/**
 * @param attempts how often to try to empty the log, at most 0.75 seconds each.
 * @returns what prevented it, in words: then old bytes may remain in the files, and it must be repeated.
 */
export function cleanFiles(store: Database, attempts = attemptsUsual): string | undefined {
  const { sqlite, path } = store;
  try {
    rewriteFile(store, { isShrinkable: true });
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (emptyLog(sqlite, waitMilliseconds)) return undefined;
      Bun.sleepSync(pauseMilliseconds);
    }
    return "another process keeps reading the pool";
  } catch (error) {
    const fault = toStoreFault(error, path);
    return fault instanceof Error ? fault.message.replace(/\.$/, "") : String(fault);
  }
}
