/** Finds the version of the model that judged a row: the first word of the row's basis. */
import { desc, isNull, or, type SQL, sql } from "drizzle-orm";
import { fetchRow, fetchRows, type Work } from "../../queries/work.ts";
import { isNotImport } from "./importing/remove-rows.ts";
import type { PoolQueries } from "./pool-context.ts";
import { selectVisible } from "./visible.ts";

/**
 * @returns the model of the newest row. An empty text means that the model is unknown; undefined means that there are no rows.
 */
export function* findModel(rows: PoolQueries): Work<string | undefined> {
  const { basis, rowId } = rows.tables.developers;
  const newest = yield* fetchRow(selectVisible(rows, { basis }).orderBy(desc(rowId)).limit(1));
  if (!newest) return undefined;
  const [model = "", digest] = newest.basis?.split(" ") ?? [];
  return digest === undefined ? "" : model;
}

/** Lists the logins of visible developers whose scores come from another model and would stay after this import. */
export function* listJudgedOtherwise(
  rows: PoolQueries,
  importId: number,
  model: string,
): Work<readonly string[]> {
  const { login, supersededBy } = rows.tables.developers;
  const isKept = isNotImport(supersededBy, importId);
  const others = selectVisible(rows, { login }, isNotOf(rows, model), isKept);
  const found = yield* fetchRows(others.orderBy(login));
  return found.map((row) => row.login);
}

function isNotOf({ tables: { developers } }: PoolQueries, model: string): SQL | undefined {
  const { basis } = developers;
  const start = `${model} `;
  return or(isNull(basis), sql`substr(${basis}, 1, ${start.length}) <> ${start}`);
}
