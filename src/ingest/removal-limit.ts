import type { Pool } from "../pool/pool.ts";

/** Number of demo developers, bots and assistants included; a test counts them. */
export const demoDevelopers = 5016;

/**
 * Reads how many people a run may remove unless the operator confirms it: as many as the demo has, since the first real people
 * replace them, or a quarter of the pool.
 */
export async function readRemovalsMax(pool: Pick<Pool, "size">): Promise<number> {
  return Math.max(demoDevelopers, Math.floor((await pool.size()) / 4));
}
