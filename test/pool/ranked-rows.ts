import type { FeatureRow, Pool, RankedRow } from "../../src/pool/pool.ts";
import { packFeatures, unpackRankingFeatures } from "../../src/pool/rows/ranking-features.ts";

/** Reads the ranking features of these rows, or of all searchable ones. */
export async function readRankedRows(
  pool: Pick<Pool, "rankingFeatures">,
  rowIds?: Uint32Array,
): Promise<RankedRow[]> {
  const rows = (await Array.fromAsync(pool.rankingFeatures(rowIds))).flat();
  return rows.map(({ rowId, standing, readRepositories }) => ({
    rowId,
    standing: unpackRankingFeatures(standing, () => readRepositories(rowId)),
  }));
}

/** The row as a pool streams it. */
export function toFeatureRow({ rowId, standing }: RankedRow): FeatureRow {
  return { rowId, standing: packFeatures(standing), readRepositories: () => [] };
}
