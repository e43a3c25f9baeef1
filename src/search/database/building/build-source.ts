import type { Pool } from "../../../pool/pool.ts";
import type { IndexShape } from "../generation-rows.ts";

/** What a generation is built of. */
export interface BuildSource {
  readonly pool: Pick<Pool, "revision" | "rankingFeatures">;
  readonly ancestors: (placeId: string) => readonly string[];
  readonly edition: string;
  readonly shape: IndexShape;
  readonly isStopped: () => boolean;
}
