import { and, count, desc, eq, notExists } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { Fault } from "../../../contract/fault.ts";
import { fetchRows, type Work } from "../../../queries/work.ts";
import type { PoolQueries } from "../pool-context.ts";
import { isRemovedBy } from "./remove-rows.ts";

/** @throws Fault (`removals`) if a staged import would remove more people than the limit. */
export function* refuseRemovals(
  rows: PoolQueries,
  importId: number,
  removalsMax: number,
): Work<void> {
  const { queries, tables } = rows;
  const { developers, formerLogins } = tables;
  const staged = alias(developers, "staged");
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
      .where(and(isRemovedBy(rows, importId), notExists(livesOn)))
      .groupBy(developers.source)
      .orderBy(desc(count())),
  );
  const total = removed.reduce((sum, { n }) => sum + n, 0);
  if (total <= removalsMax) return;
  const sources = removed.map(({ source, n }) => `${n} of source "${source}"`).join(", ");
  const message = `This would remove ${total} people from the pool: ${sources}. Nothing was changed.`;
  throw new Fault("removals", message);
}
