import { cleanFile } from "../../../sqlite/clean-file.ts";
import type { Database, DatabaseKind } from "../../../sqlite/database.ts";
import { toStoreFault } from "../../../sqlite/store-fault.ts";
import { lockImports } from "../importing/import-lock.ts";

/**
 * @param attempts see `cleanFile`.
 * @returns why it failed, in words. Then old bytes may remain in the files, and it must be repeated.
 */
export function cleanPool(
  store: Database,
  kind: DatabaseKind,
  attempts?: number,
): string | undefined {
  // This lock keeps a server from shrinking the file, which would make calls wait for the rewrite. A running import
  // that holds it is no obstacle.
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
