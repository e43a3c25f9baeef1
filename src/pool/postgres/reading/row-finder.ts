import { and, eq, inArray } from "drizzle-orm";
import { fetchRows, type Work } from "../../../queries/work.ts";
import { toLoginKey } from "../../identifiers.ts";
import type { PoolQueries, RowIds } from "../../rows/pool-context.ts";
import { isVisible, selectVisible } from "../../rows/visible.ts";

/** Implements `PoolRows.findRows`. */
export function* findRows(rows: PoolQueries, logins: readonly string[]): Work<RowIds> {
  const current = yield* findCurrentRows(rows, logins);
  const missing = logins.filter((_, at) => current[at] === undefined).map(toLoginKey);
  if (missing.length === 0) return current;
  const { queries, tables } = rows;
  const { developers, formerLogins } = tables;
  const bearers = yield* fetchRows(
    queries
      .select({ loginKey: formerLogins.loginKey, rowId: developers.rowId })
      .from(formerLogins)
      .innerJoin(developers, eq(developers.rowId, formerLogins.rowId))
      .where(and(inArray(formerLogins.loginKey, missing), isVisible(rows))),
  );
  const byLogin = Map.groupBy(bearers, ({ loginKey }) => loginKey);
  return logins.map((login, at) => {
    const [only, another] = byLogin.get(toLoginKey(login)) ?? [];
    return current[at] ?? (another ? undefined : only?.rowId);
  });
}

/** Implements `PoolRows.findCurrentRows`. */
export function* findCurrentRows(rows: PoolQueries, logins: readonly string[]): Work<RowIds> {
  if (logins.length === 0) return [];
  const { rowId, loginKey } = rows.tables.developers;
  const areSought = inArray(loginKey, logins.map(toLoginKey));
  const found = yield* fetchRows(selectVisible(rows, { rowId, loginKey }, areSought));
  const byLogin = new Map(found.map((row) => [row.loginKey, row.rowId]));
  return logins.map((login) => byLogin.get(toLoginKey(login)));
}
