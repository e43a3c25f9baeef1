import type { Pool } from "../../../pool/pool.ts";
import type { IndexShape } from "../generation-rows.ts";

/** The pool and settings that a generation is built from. */
export interface BuildSource {
  readonly pool: Pick<Pool, "revision" | "rankingFeatures">;
  readonly ancestors: (placeId: string) => readonly string[];
  readonly edition: string;
  readonly shape: IndexShape;
  readonly isStopped: () => boolean;
}
