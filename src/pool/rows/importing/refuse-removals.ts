import { and, count, desc, eq, notExists } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { Fault } from "../../../contract/fault.ts";
import { fetchRows, type Work } from "../../../queries/work.ts";
import type { PoolQueries } from "../pool-context.ts";

/** @throws Fault (`removals`) if a staged import would remove more people than the limit. */
export function* refuseRemovals(
  { queries, tables: { developers, formerLogins } }: PoolQueries,
  importId: number,
  removalsMax: number,
): Work<void> {
  const staged = alias(developers, "staged");
  const isReplaced = queries
    .select({ rowId: staged.rowId })
    .from(staged)
    .where(and(eq(staged.loginKey, developers.loginKey), eq(staged.importId, importId)));
  // A developer who was merged into another developer is not removed.
  const livesOn = queries
    .select({ rowId: formerLogins.rowId })
    .from(formerLogins)
    .innerJoin(staged, eq(staged.rowId, formerLogins.rowId))
    .where(and(eq(formerLogins.loginKey, developers.loginKey), eq(staged.importId, importId)));
  const removed = yield* fetchRows(
    queries
      .select({ source: developers.source, n: count() })
      .from(developers)
      .where(and(eq(developers.supersededBy, importId), notExists(isReplaced), notExists(livesOn)))
      .groupBy(developers.source)
      .orderBy(desc(count())),
  );
  const total = removed.reduce((sum, { n }) => sum + n, 0);
  if (total <= removalsMax) return;
  const sources = removed.map(({ source, n }) => `${n} of source "${source}"`).join(", ");
  const message = `This would remove ${total} people from the pool: ${sources}. Nothing was changed.`;
  throw new Fault("removals", message);
}
