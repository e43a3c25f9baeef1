import type { Pool } from "../pool/pool.ts";

/** Number of demo developers, including bots and assistants. */
export const demoDevelopers = 5016;

/**
 * Returns how many people a run may remove without confirmation. The first real import must be able to remove all demo
 * developers.
 */
export async function readRemovalsMax(pool: Pick<Pool, "size">): Promise<number> {
  return Math.max(demoDevelopers, Math.floor((await pool.size()) / 4));
}
