import type { Pool } from "../pool/pool.ts";
import { demoDevelopers } from "./demo.ts";

/**
 * How many people a run may remove before an operator must say that this is meant: as many as the demo has, which
 * make way for the first real ones, or a quarter of the pool.
 */
export async function readRemovalsMax(pool: Pick<Pool, "size">): Promise<number> {
  return Math.max(demoDevelopers, Math.floor((await pool.size()) / 4));
}
