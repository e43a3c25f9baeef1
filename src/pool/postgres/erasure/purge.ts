import { and, count, eq, inArray, lte, notInArray, sql } from "drizzle-orm";
import type { Statements } from "../../../postgres/database.ts";
import { advanceRevision, deleteRows } from "../changing.ts";
import { developers, repositoryAuthors, searchIndexes, sourceCounts } from "../tables.ts";
import { isVisible } from "../visible.ts";

const rowsPerStatement = 1000;

/**
 * Deletes rows, visible or not, with what they are authors of, and updates the counts and the revision. Call it inside a change.
 *
 * @package
 */
export async function purgeRows(
  orm: Statements,
  rowIds: ReadonlySet<number>,
): Promise<{ readonly developers: number; readonly rows: number }> {
  const all = [...rowIds];
  let [visible, rows] = [0, 0];
  for (let from = 0; from < all.length; from += rowsPerStatement) {
    const some = all.slice(from, from + rowsPerStatement);
    const counted = await orm
      .select({ source: developers.source, n: count() })
      .from(developers)
      .where(and(inArray(developers.rowId, some), isVisible(orm)))
      .groupBy(developers.source);
    for (const { source, n } of counted) {
      visible += n;
      await orm
        .update(sourceCounts)
        .set({ developers: sql`${sourceCounts.developers} - ${n}` })
        .where(eq(sourceCounts.source, source));
    }
    rows += await orm.$count(developers, inArray(developers.rowId, some));
    await deleteRows(orm, some);
  }
  await orm.delete(sourceCounts).where(lte(sourceCounts.developers, 0));
  // Whoever has no row any more is the author of nothing.
  const known = orm.select({ loginKey: developers.loginKey }).from(developers);
  await orm.delete(repositoryAuthors).where(notInArray(repositoryAuthors.loginKey, known));
  // An index has the logins of all.
  await orm.delete(searchIndexes);
  // Rows that were replaced count too: an older index may still show them.
  await advanceRevision(orm, rows > 0);
  return { developers: visible, rows };
}
