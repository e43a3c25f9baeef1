import { findMissingErasures } from "../contract/people/erasure-receipt.ts";
import type { ControlStore } from "../control/control-store.ts";
import type { DataFileState } from "../control/folder-records.ts";
import type { Pool } from "../pool/pool.ts";

/**
 * Finds how a pool differs from its record in the control store.
 * @param known the state that was recorded before the pool was opened.
 * @returns `erasuresMissing`: the number of the control store's erasures that the pool lacks, or has only in part.
 */
export async function comparePool(
  { folder }: Pick<ControlStore, "folder">,
  pool: Pick<Pool, "state" | "erasing">,
  known: DataFileState | undefined,
) {
  const state = await pool.state();
  const isOther = known !== undefined && known.changes > 0 && known.name !== state.name;
  const isOlder = known !== undefined && !isOther && state.changes < known.changes;
  const kept = await folder.suppressionList();
  const missing = findMissingErasures(kept, await pool.erasing.suppressionList());
  const erasuresMissing = missing.filter(({ undoneAt }) => !undoneAt).length;
  return { state, known, isOther, isOlder, erasuresMissing };
}
