/**
 * Finds the model version by which people were judged: the first word of a row's basis. Rows of earlier versions have no basis.
 */
import { and, desc, isNull, or, type SQL, sql } from "drizzle-orm";
import { fetchRow, fetchRows, type Work } from "../../queries/work.ts";
import { isNotImport } from "./importing/remove-rows.ts";
import type { PoolQueries } from "./pool-context.ts";
import { isVisible } from "./visible.ts";

/** @returns the model of the newest row, since an import leaves one model in all rows; "" if unknown, undefined if none. */
export function* findModel(rows: PoolQueries): Work<string | undefined> {
  const { basis, rowId } = rows.tables.developers;
  const newest = yield* fetchRow(
    rows.queries
      .select({ basis })
      .from(rows.tables.developers)
      .where(isVisible(rows))
      .orderBy(desc(rowId))
      .limit(1),
  );
  if (!newest) return undefined;
  const [model = "", digest] = newest.basis?.split(" ") ?? [];
  return digest === undefined ? "" : model;
}

/** Lists the logins of visible developers whom another model judged and whom this import neither replaces nor removes. */
export function* listJudgedOtherwise(
  rows: PoolQueries,
  importId: number,
  model: string,
): Work<readonly string[]> {
  const { login, supersededBy } = rows.tables.developers;
  const found = yield* fetchRows(
    rows.queries
      .select({ login })
      .from(rows.tables.developers)
      .where(and(isNotOf(rows, model), isNotImport(supersededBy, importId), isVisible(rows)))
      .orderBy(login),
  );
  return found.map((row) => row.login);
}

function isNotOf({ tables: { developers } }: PoolQueries, model: string): SQL | undefined {
  const { basis } = developers;
  const start = `${model} `;
  return or(isNull(basis), sql`substr(${basis}, 1, ${start.length}) <> ${start}`);
}
