import type { Pool } from "../../pool/pool.ts";
import { buildGeneration } from "./build.ts";
import { clearTexts } from "./clear-texts.ts";
import type { Generation } from "./generation.ts";

/** Builds the generation of the pool's newest revision. @returns the previous generation if it already has that revision. */
export async function buildNewest({
  pool,
  ancestors,
  edition,
  previous,
  rowsPerPart = 2 ** 17,
}: {
  readonly pool: Pick<Pool, "searchableRows" | "rankingFeatures">;
  readonly ancestors: (placeId: string) => readonly string[];
  readonly edition: string;
  readonly previous: Generation | undefined;
  readonly rowsPerPart?: number;
}): Promise<Generation> {
  const { revision, rowIds } = await pool.searchableRows();
  if (previous?.revision === revision) return previous;
  const rankingFeatures = streamFeatures(pool, rowIds, rowsPerPart);
  return buildGeneration({ rankingFeatures, ancestors, made: { revision, edition } });
}

/** Streams the ranking features, and frees their texts after each batch to save memory. */
async function* streamFeatures(
  pool: Pick<Pool, "rankingFeatures">,
  rowIds: Uint32Array,
  rowsPerPart: number,
): ReturnType<Pool["rankingFeatures"]> {
  for (let from = 0; from < rowIds.length; from += rowsPerPart) {
    yield* pool.rankingFeatures(rowIds.subarray(from, from + rowsPerPart));
    if (rowIds.length > rowsPerPart) clearTexts(rowsPerPart);
  }
}
