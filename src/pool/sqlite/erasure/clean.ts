import { cleanFile } from "../../../sqlite/cleaning/clean-file.ts";
import type { Database, DatabaseKind } from "../../../sqlite/database.ts";
import { toStoreFault } from "../../../sqlite/store-fault.ts";

/**
 * @param attempts how often to try while others use the log, at most 0.75 seconds each.
 * @returns what prevented it, in words: then old bytes may remain in the files, and it must be repeated.
 */
export function cleanPool(
  store: Database,
  kind: DatabaseKind,
  attempts?: number,
): string | undefined {
  try {
    return cleanFile(store, kind, attempts) ? undefined : "another process keeps reading the pool";
  } catch (error) {
    const fault = toStoreFault(error, store.path);
    return fault instanceof Error ? fault.message.replace(/\.$/, "") : String(fault);
  }
}
