import { and, eq, exists, inArray, isNotNull, isNull, not, or, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { fetchRows, type Work } from "../../queries/work.ts";
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
  const condition = and(
    exists(isShown),
    or(isNull(developers.supersededBy), not(isReplaced(rows))),
  );
  if (!condition) throw new Error("The condition for visible rows is empty.");
  return condition;
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
  const { queries, tables } = rows;
  const { loginKey } = tables.developers;
  const visible = new Set<string>();
  for (let at = 0; at < loginKeys.length; at += loginsPerQuery) {
    const some = loginKeys.slice(at, at + loginsPerQuery);
    const found = yield* fetchRows(
      queries
        .select({ loginKey })
        .from(tables.developers)
        .where(and(inArray(loginKey, some), isVisible(rows))),
    );
    for (const row of found) visible.add(row.loginKey);
  }
  return visible;
}
