import { findMissingErasures } from "../contract/people/erasure-receipt.ts";
import type { ControlStore } from "../control/control-store.ts";
import type { DataFileState } from "../control/folder-records.ts";
import type { Pool } from "../pool/pool.ts";

/** The result of comparing a pool with the control store's record of it. */
export interface PoolComparison {
  readonly state: DataFileState;
  readonly known: DataFileState | undefined;
  readonly isOther: boolean;
  readonly isOlder: boolean;
  /** How many erasures of the control store the pool does not know, or knows only in part. */
  readonly erasuresMissing: number;
}

/** @param known the pool's state as recorded before the pool was opened. The record changes while others write. */
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
