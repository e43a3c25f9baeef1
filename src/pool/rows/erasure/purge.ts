import { and, count, eq, inArray, lte, notExists, sql } from "drizzle-orm";
import { execute, fetchRows, splitInBatches, type Work } from "../../../queries/work.ts";
import { advanceRevision, deleteRows } from "../change-rows.ts";
import type { GoneLogin } from "../changes/departures.ts";
import type { PoolRows } from "../pool-context.ts";
import { isVisible } from "../visible.ts";

/** The most rows in one statement, because SQLite limits the number of values. */
const rowsPerStatement = 400;

interface PurgedRows {
  readonly removed: { readonly developers: number; readonly rows: number };
  /** The logins of the rows, without rows that were never visible. */
  readonly published: readonly GoneLogin[];
}

/** Deletes rows, and deletes their developers' logins in authorship. Call it inside a change. */
export function* purgeRows(rows: PoolRows, rowIds: ReadonlySet<number>): Work<PurgedRows> {
  const { queries, tables } = rows;
  const { developers, imports, sourceCounts } = tables;
  const { loginKey, login, importId } = developers;
  const published: GoneLogin[] = [];
  let [visible, deleted] = [0, 0];
  for (const some of splitInBatches([...rowIds], rowsPerStatement)) {
    const areSome = inArray(developers.rowId, some);
    const counted = yield* fetchRows(
      queries
        .select({ source: developers.source, n: count() })
        .from(developers)
        .where(and(areSome, isVisible(rows)))
        .groupBy(developers.source),
    );
    for (const { source, n } of counted) {
      visible += n;
      const rest = sql`${sourceCounts.developers} - ${n}`;
      const isSource = eq(sourceCounts.source, source);
      yield* execute(queries.update(sourceCounts).set({ developers: rest }).where(isSource));
    }
    const { revision } = imports;
    const stored = queries.select({ loginKey, login, revision }).from(developers);
    const there = yield* fetchRows(
      stored.leftJoin(imports, eq(imports.id, importId)).where(areSome),
    );
    published.push(...there.filter((row) => row.revision !== null));
    deleted += there.length;
    yield* deleteRows(rows, some);
    yield* deleteAuthors(rows, [...new Set(there.map(({ loginKey }) => loginKey))]);
  }
  yield* execute(queries.delete(sourceCounts).where(lte(sourceCounts.developers, 0)));
  yield* rows.dropIndexes();
  // Deleting a replaced row raises the revision too, because an older index may still show the row.
  yield* advanceRevision(rows, deleted > 0);
  return { removed: { developers: visible, rows: deleted }, published };
}

/** Deletes from authorship the logins that no row of the pool has any more. */
function* deleteAuthors(
  { queries, tables: { developers, repositoryAuthors } }: PoolRows,
  loginKeys: readonly string[],
): Work<void> {
  const { loginKey } = repositoryAuthors;
  const known = queries
    .select({ loginKey: developers.loginKey })
    .from(developers)
    .where(eq(developers.loginKey, loginKey));
  const isUnknown = and(inArray(loginKey, [...loginKeys]), notExists(known));
  yield* execute(queries.delete(repositoryAuthors).where(isUnknown));
}
