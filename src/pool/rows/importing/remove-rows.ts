/** Marks the developers that an import removes. */
import { and, eq, inArray, notExists, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { execute, fetchRows, splitInBatches, type Work } from "../../../queries/work.ts";
import { toLoginKey } from "../../identifiers.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { isVisible, selectVisible } from "../visible.ts";

/** Limits that keep each transaction short. */
const loginsPerTransaction = 100;
const rowsPerTransaction = 2000;

/** Marks the visible rows of these logins as removed by this import. */
export async function removeLogins(
  { change }: PoolContext,
  importId: number,
  logins: readonly string[],
): Promise<void> {
  for (const keys of splitInBatches(logins.map(toLoginKey), loginsPerTransaction)) {
    await change((rows) => {
      const { developers } = rows.tables;
      const isRemoved = and(inArray(developers.loginKey, keys), isVisible(rows));
      return execute(
        rows.queries.update(developers).set({ supersededBy: importId }).where(isRemoved),
      );
    });
  }
}

/** Marks the developers of a source as removed, unless the import contains them. */
export async function removeSource(
  { change }: PoolContext,
  importId: number,
  source: string,
): Promise<void> {
  while ((await change((rows) => markSome(rows, importId, source))) > 0);
}

function* markSome(rows: PoolQueries, importId: number, source: string): Work<number> {
  const { queries, tables } = rows;
  const { developers } = tables;
  const { rowId, supersededBy, confirmedBy } = developers;
  const areLeft = and(isNotImport(supersededBy, importId), isNotImport(confirmedBy, importId));
  const left = selectVisible(rows, { rowId }, eq(developers.source, source), areLeft);
  const some = left.limit(rowsPerTransaction);
  const update = queries.update(developers).set({ supersededBy: importId });
  const marked = yield* fetchRows(update.where(inArray(rowId, some)).returning({ rowId }));
  return marked.length;
}

/** Whether an import removes a developer and brings no other row with the login. */
export function isRemovedBy(
  { queries, tables: { developers } }: PoolQueries,
  importId: number,
): SQL | undefined {
  const staged = alias(developers, "staged");
  const isReplacing = and(eq(staged.loginKey, developers.loginKey), eq(staged.importId, importId));
  const replacing = queries.select({ rowId: staged.rowId }).from(staged).where(isReplacing);
  return and(eq(developers.supersededBy, importId), notExists(replacing));
}

/** Whether a column is null or has the id of another import. */
export function isNotImport(column: SQLWrapper, importId: number): SQL {
  return sql`${column} IS DISTINCT FROM ${importId}`;
}
