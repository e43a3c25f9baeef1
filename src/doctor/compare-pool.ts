import { findMissingErasures } from "../contract/people/erasure-receipt.ts";
import type { ControlStore } from "../control/control-store.ts";
import type { DataFileState } from "../control/folder-records.ts";
import type { Pool } from "../pool/pool.ts";

/** Compares a pool with what the control store knows of it. */
export interface PoolComparison {
  readonly state: DataFileState;
  readonly known: DataFileState | undefined;
  readonly isOther: boolean;
  readonly isOlder: boolean;
  /** The number of erasures that the control store knows and the pool does not, or not in full. */
  readonly erasuresMissing: number;
}

/** @param known the state that was recorded before the pool was opened: it changes while others write. */
export async function comparePool(
  { folder }: Pick<ControlStore, "folder">,
  pool: Pick<Pool, "state" | "erasing">,
  known: DataFileState | undefined,
): Promise<PoolComparison> {
  const state = await pool.state();
  const isOther = known !== undefined && known.changes > 0 && known.name !== state.name;
  const isOlder = known !== undefined && !isOther && state.changes < known.changes;
  const kept = await folder.suppressionList();
  const missing = findMissingErasures(kept, await pool.erasing.suppressionList());
  const erasuresMissing = missing.filter(({ undoneAt }) => !undoneAt).length;
  return { state, known, isOther, isOlder, erasuresMissing };
}
