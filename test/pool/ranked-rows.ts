import type { Pool, RankedRow, StandingRow } from "../../src/pool/pool.ts";
import { packStanding, unpackRankingFeatures } from "../../src/pool/rows/standing.ts";

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
export function toStandingRow({ rowId, standing }: RankedRow): StandingRow {
  return { rowId, standing: packStanding(standing), readRepositories: () => [] };
}
