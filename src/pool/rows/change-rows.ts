/** Steps of transactions that change the pool. Call them inside `PoolContext.change`. */
import { inArray, sql } from "drizzle-orm";
import { execute, fetchRow, type Work } from "../../queries/work.ts";
import type { PoolQueries } from "./pool-context.ts";

export function* fetchAdded<Row>(insertion: { all(): Row[] }): Work<Row> {
  const added = yield* fetchRow(insertion);
  if (!added) throw new Error("The insertion returned no row.");
  return added;
}

export function* deleteRows(
  { queries, tables }: PoolQueries,
  rowIds: readonly number[],
): Work<void> {
  if (rowIds.length === 0) return;
  const { cards, rankingFeatures, dossiers, formerLogins, findables, developers } = tables;
  const { identifiers, unlistedRows } = tables;
  const some = [...rowIds];
  const ofOne = [cards, rankingFeatures, dossiers, formerLogins, findables, developers] as const;
  for (const part of [...ofOne, identifiers, unlistedRows]) {
    yield* execute(queries.delete(part).where(inArray(part.rowId, some)));
  }
}

/** Increments the revision if something changed. @returns the revision. */
export function* advanceRevision(
  { queries, tables: { poolState } }: PoolQueries,
  isChange: boolean,
): Work<number> {
  const step = isChange ? 1 : 0;
  const state = yield* fetchRow(
    queries
      .update(poolState)
      .set({ revision: sql`${poolState.revision} + ${step}` })
      .returning({ revision: poolState.revision }),
  );
  if (state) return state.revision;
  // A new file has no row in `pool_state` yet.
  yield* execute(queries.insert(poolState).values({ id: 1, revision: step }));
  return step;
}
