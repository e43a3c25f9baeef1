import { cleanFile } from "../../../sqlite/clean-file.ts";
import type { Database, DatabaseKind } from "../../../sqlite/database.ts";
import { toStoreFault } from "../../../sqlite/store-fault.ts";
import { lockImports } from "../importing/import-lock.ts";

/**
 * @param attempts see `cleanFile`.
 * @returns what prevented it, in words: then old bytes may remain in the files, and it must be repeated.
 */
export function cleanPool(
  store: Database,
  kind: DatabaseKind,
  attempts?: number,
): string | undefined {
  // A server that gives space back needs this lock: without it, calls would wait behind its write. An import that has it goes on.
  const release = lockImports(store.path, 0);
  try {
    return cleanFile(store, kind, attempts) ? undefined : "another process keeps using the pool";
  } catch (error) {
    const fault = toStoreFault(error, store.path);
    return fault instanceof Error ? fault.message.replace(/\.$/, "") : String(fault);
  } finally {
    release?.();
  }
}
