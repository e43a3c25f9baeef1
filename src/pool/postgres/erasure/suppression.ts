import { sql } from "drizzle-orm";
import { fetchSql, type Work } from "../../../queries/work.ts";
import { type ListedSuppression, loadSuppression } from "../../rows/erasure/suppression-rows.ts";
import type { PoolRows } from "../../rows/pool-context.ts";
import { poolState } from "../tables.ts";

/** Reads the suppression list into memory, as the current query or transaction sees it. */
export type ReadSuppression = (rows: PoolRows) => Work<ListedSuppression>;

/** Caches the suppression list, and reads it again when it has changed. */
export function createSuppressionReader(): ReadSuppression {
  let known: { readonly version: number; readonly list: ListedSuppression } | undefined;
  return function* (rows) {
    const [state] = yield* fetchSql<{ version: number }>(
      sql`SELECT ${poolState.suppression} AS version FROM ${poolState}`,
    );
    const version = state?.version ?? 0;
    if (known?.version !== version) known = { version, list: yield* loadSuppression(rows) };
    return known.list;
  };
}
