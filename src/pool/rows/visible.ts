import { and, eq, exists, inArray, isNotNull, isNull, not, or, type SQL } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { fetchRows, splitInBatches, type Work } from "../../queries/work.ts";
import type { PoolQueries } from "./pool-context.ts";

/** Selects visible rows. A row is visible if its import has a revision and no import with a revision has replaced it. */
export function isVisible(rows: PoolQueries): SQL {
  const { queries, tables } = rows;
  const { developers, imports } = tables;
  const own = alias(imports, "own");
  const isShown = queries
    .select({ id: own.id })
    .from(own)
    .where(and(eq(own.id, developers.importId), isNotNull(own.revision)));
  const isCurrent = or(isNull(developers.supersededBy), not(isReplaced(rows)));
  return and(exists(isShown), isCurrent) as SQL;
}

/** Selects columns of the visible rows that fulfill all these conditions. */
export function selectVisible<Fields extends Record<string, SQLiteColumn>>(
  rows: PoolQueries,
  fields: Fields,
  ...conditions: readonly (SQL | undefined)[]
) {
  const areShown = and(...conditions, isVisible(rows));
  return rows.queries.select(fields).from(rows.tables.developers).where(areShown);
}

/** Whether a published import has replaced the row. */
function isReplaced({ queries, tables: { developers, imports } }: PoolQueries): SQL {
  const replacing = alias(imports, "replacing");
  return exists(
    queries
      .select({ id: replacing.id })
      .from(replacing)
      .where(and(eq(replacing.id, developers.supersededBy), isNotNull(replacing.revision))),
  );
}

/** @returns the ids of replaced rows. All other rows are visible or staged. */
export function* findReplaced(
  rows: PoolQueries,
  rowIds: readonly number[],
): Work<ReadonlySet<number>> {
  const { rowId } = rows.tables.developers;
  const areReplaced = and(inArray(rowId, [...rowIds]), isReplaced(rows));
  const found = yield* fetchRows(
    rows.queries.select({ rowId }).from(rows.tables.developers).where(areReplaced),
  );
  return new Set(found.map((row) => row.rowId));
}

const loginsPerQuery = 500;

/** @returns the logins, in lower case, that have a visible row. */
export function* findVisible(
  rows: PoolQueries,
  loginKeys: readonly string[],
): Work<ReadonlySet<string>> {
  const { loginKey } = rows.tables.developers;
  const visible = new Set<string>();
  for (const some of splitInBatches(loginKeys, loginsPerQuery)) {
    const found = yield* fetchRows(selectVisible(rows, { loginKey }, inArray(loginKey, some)));
    for (const row of found) visible.add(row.loginKey);
  }
  return visible;
}
