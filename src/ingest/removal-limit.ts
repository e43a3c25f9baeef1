import type { Pool } from "../pool/pool.ts";

/** Number of demo developers, including bots and assistants. */
export const demoDevelopers = 5016;

/** How many people a run may remove without confirmation: at least all demo developers, for the first real import. */
export async function readRemovalsMax(pool: Pick<Pool, "size">): Promise<number> {
  return Math.max(demoDevelopers, Math.floor((await pool.size()) / 4));
}
