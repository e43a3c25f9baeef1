import type { Pool } from "../pool/pool.ts";

/** Number of demo developers, including bots and assistants. A test checks it. */
export const demoDevelopers = 5016;

/**
 * Returns how many people a run may remove without confirmation by the operator: a quarter of the pool, but at least the number
 * of demo developers, whom the first real import removes.
 */
export async function readRemovalsMax(pool: Pick<Pool, "size">): Promise<number> {
  return Math.max(demoDevelopers, Math.floor((await pool.size()) / 4));
}
