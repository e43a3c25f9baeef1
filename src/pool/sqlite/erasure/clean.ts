import { cleanFile } from "../../../sqlite/clean-file.ts";
import type { Database, DatabaseKind } from "../../../sqlite/database.ts";
import { toStoreFault } from "../../../sqlite/store-fault.ts";
import { lockImports } from "../importing/import-lock.ts";

/**
 * @param attempts see `cleanFile`.
 * @returns undefined on success; otherwise the reason of the failure, in words. Then run it again, because old bytes may remain
 * in the files.
 */
export function cleanPool(
  store: Database,
  kind: DatabaseKind,
  attempts?: number,
): string | undefined {
  // Keeps servers from shrinking the file, because their calls would wait for the rewrite.
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
