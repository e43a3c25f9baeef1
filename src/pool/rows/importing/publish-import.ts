import { and, count, eq, lte, type SQL, sql } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Work } from "../../../queries/work.ts";
import type { ImportCounts } from "../../pool.ts";
import { advanceRevision } from "../change-rows.ts";
import { writeDepartures } from "../changes/departures.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { isNotImport } from "./remove-rows.ts";

/** Makes a staged import visible. An import that changes nothing does not change the revision, so that no index is rebuilt. */
export async function publishImport(
  context: PoolContext,
  importId: number,
  committedAt: string,
): Promise<Omit<ImportCounts, "suppressed">> {
  const { read, change } = context;
  let counted = await read((rows) => countAll(rows, importId));
  if (countRemoved(counted) > 0) await writeDepartures(context, importId, committedAt);
  const revision = await change(function* (rows) {
    // After an erasure the counts are wrong, so count again inside the transaction.
    if ((yield* countErasures(rows)) !== counted.erasures)
      counted = yield* countAll(rows, importId);
    const { queries, tables } = rows;
    const { imports, sourceCounts } = tables;
    const { added, superseded } = counted.changes;
    const revision = yield* advanceRevision(rows, added + superseded > 0);
    const published = { revision, committedAt, isSwept: superseded === 0 };
    yield* execute(queries.update(imports).set(published).where(eq(imports.id, importId)));
    for (const { source, by } of counted.sources) {
      const added = { source, developers: by, lastImportAt: committedAt };
      const developers = sql`${sourceCounts.developers} + ${by}`;
      const set = { developers, lastImportAt: committedAt };
      const insertion = queries.insert(sourceCounts).values(added);
      yield* execute(insertion.onConflictDoUpdate({ target: sourceCounts.source, set }));
    }
    yield* execute(queries.delete(sourceCounts).where(lte(sourceCounts.developers, 0)));
    return revision;
  });
  const { added, replaced, rejudged, confirmed } = counted.changes;
  const removed = countRemoved(counted);
  return { revision, added, replaced, unchanged: rejudged + confirmed, removed };
}

type CountedAll = ReturnType<typeof countAll> extends Work<infer Counts> ? Counts : never;

function countRemoved({ changes: { superseded, replaced, rejudged } }: CountedAll): number {
  return superseded - replaced - rejudged;
}

function* countAll(rows: PoolQueries, importId: number) {
  const { developers } = rows.tables;
  // Count the erasures first, so that an erasure during the next counts is noticed.
  const erasures = yield* countErasures(rows);
  const brought = yield* countBySource(rows, eq(developers.importId, importId));
  const superseded = yield* countBySource(rows, eq(developers.supersededBy, importId));
  const isConfirmed = and(
    eq(developers.confirmedBy, importId),
    isNotImport(developers.supersededBy, importId),
  );
  const confirmed = yield* countBySource(rows, isConfirmed);
  const of = (kind: string) => sum(brought.filter(({ change }) => change === kind));
  const by = new Map<string, number>();
  const add = (counted: readonly Counted[], factor: 1 | 0 | -1) => {
    for (const { source, n } of counted) by.set(source, (by.get(source) ?? 0) + factor * n);
  };
  add(brought, 1);
  add(superseded, -1);
  // Adds the source even if all its rows are unchanged, so that its `lastImportAt` is updated.
  add(confirmed, 0);
  return {
    erasures,
    changes: {
      added: of("added"),
      replaced: of("replaced"),
      rejudged: of("unchanged"),
      confirmed: sum(confirmed),
      superseded: sum(superseded),
    },
    sources: [...by].map(([source, change]) => ({ source, by: change })),
  };
}

function* countErasures({ queries, tables: { erasures } }: PoolQueries): Work<number> {
  const counted = yield* fetchRow(queries.select({ n: count() }).from(erasures));
  return counted?.n ?? 0;
}

interface Counted {
  readonly source: string;
  readonly change: string;
  readonly n: number;
}

const sum = (rows: readonly Counted[]) => rows.reduce((total, { n }) => total + n, 0);

function countBySource(
  { queries, tables: { developers } }: PoolQueries,
  condition: SQL | undefined,
): Work<readonly Counted[]> {
  const { source, change } = developers;
  const counted = queries.select({ source, change, n: count() }).from(developers);
  return fetchRows(counted.where(condition).groupBy(source, change));
}
