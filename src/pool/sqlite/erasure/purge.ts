import { and, count, eq, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import { eraseAuthors } from "../authorship/authorship-rows.ts";
import { advanceRevision, deleteRows } from "../changing.ts";
import { developers, sourceCounts } from "../tables.ts";
import { isVisible } from "../visible.ts";

/** Well below SQLite's limit on the values of one statement. */
const rowsPerStatement = 400;

/**
 * Deletes rows, visible or not, with what they are authors of, and updates the counts and the revision. Call it inside a transaction.
 *
 * @package
 */
export function purgeRows(
  store: Database,
  rowIds: ReadonlySet<number>,
): { readonly developers: number; readonly rows: number } {
  const all = [...rowIds];
  let [visible, rows] = [0, 0];
  for (let from = 0; from < all.length; from += rowsPerStatement) {
    const some = all.slice(from, from + rowsPerStatement);
    for (const { source, n } of countVisible(store, some)) {
      visible += n;
      subtractFromSource(store, source, n);
    }
    rows += countRows(store, some);
    deleteRows(store, some);
  }
  eraseAuthors(store);
  // Rows that were replaced count too: an older index may still show them.
  advanceRevision(store, rows > 0);
  return { developers: visible, rows };
}

function countVisible(store: Database, rowIds: number[]) {
  return store.orm
    .select({ source: developers.source, n: count() })
    .from(developers)
    .where(and(inArray(developers.rowId, rowIds), isVisible(store)))
    .groupBy(developers.source)
    .all();
}

function countRows({ orm }: Database, rowIds: number[]): number {
  const rows = orm.select({ n: count() }).from(developers).where(inArray(developers.rowId, rowIds));
  return rows.get()?.n ?? 0;
}

function subtractFromSource({ orm }: Database, source: string, by: number): void {
  orm
    .update(sourceCounts)
    .set({ developers: sql`${sourceCounts.developers} - ${by}` })
    .where(eq(sourceCounts.source, source))
    .run();
  orm.delete(sourceCounts).where(lte(sourceCounts.developers, 0)).run();
}
