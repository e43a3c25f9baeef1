import { and, count, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Statements } from "../../../postgres/database.ts";
import type { ImportCounts } from "../../pool.ts";
import { advanceRevision, applyChange, type PoolConnection } from "../changing.ts";
import { developers, erasures, imports, sourceCounts } from "../tables.ts";

/**
 * Makes a staged import visible: counts first, then runs one small transaction whatever the import's size.
 * An import that changes nothing leaves the revision, so that no index is rebuilt for it.
 *
 * @package
 */
export async function publishImport(
  connection: PoolConnection,
  importId: number,
  committedAt: string,
): Promise<Omit<ImportCounts, "suppressed">> {
  let counted = await countAll(connection.orm, importId);
  const revision = await applyChange(connection, async (orm) => {
    // The counts may include a person erased since: count again, inside the transaction.
    if ((await countErasures(orm)) !== counted.erasures) counted = await countAll(orm, importId);
    const { added, superseded } = counted.changes;
    const revision = await advanceRevision(orm, added + superseded > 0);
    await orm
      .update(imports)
      .set({ revision, committedAt, isSwept: superseded === 0 })
      .where(eq(imports.id, importId));
    for (const { source, by } of counted.sources)
      await addToSource(orm, { source, by, committedAt });
    await orm.delete(sourceCounts).where(lte(sourceCounts.developers, 0));
    return revision;
  });
  const { added, replaced, rejudged, kept, superseded } = counted.changes;
  const removed = superseded - replaced - rejudged;
  return { revision, added, replaced, unchanged: rejudged + kept, removed };
}

async function countAll(orm: Statements, importId: number) {
  // First, so that an erasure during the other counts is noticed.
  const erased = await countErasures(orm);
  const [brought, superseded, kept] = [
    await countBySource(orm, eq(developers.importId, importId)),
    await countBySource(orm, eq(developers.supersededBy, importId)),
    await countBySource(
      orm,
      and(
        eq(developers.confirmedBy, importId),
        sql`${developers.supersededBy} IS DISTINCT FROM ${importId}`,
      ),
    ),
  ];
  const of = (kind: string) => sum(brought.filter(({ change }) => change === kind));
  // A source whose rows were only confirmed grows by 0.
  const by = new Map<string, number>();
  const add = (rows: readonly Counted[], factor: 1 | 0 | -1) => {
    for (const { source, n } of rows) by.set(source, (by.get(source) ?? 0) + factor * n);
  };
  add(brought, 1);
  add(superseded, -1);
  add(kept, 0);
  return {
    erasures: erased,
    changes: {
      added: of("added"),
      replaced: of("replaced"),
      rejudged: of("unchanged"),
      kept: sum(kept),
      superseded: sum(superseded),
    },
    sources: [...by].map(([source, change]) => ({ source, by: change })),
  };
}

async function countErasures(orm: Statements): Promise<number> {
  const [counted] = await orm.select({ n: count() }).from(erasures);
  return counted?.n ?? 0;
}

interface Counted {
  readonly source: string;
  readonly change: string;
  readonly n: number;
}

const sum = (rows: readonly Counted[]) => rows.reduce((total, { n }) => total + n, 0);

function countBySource(orm: Statements, condition: SQL | undefined): Promise<readonly Counted[]> {
  return orm
    .select({ source: developers.source, change: developers.change, n: count() })
    .from(developers)
    .where(condition)
    .groupBy(developers.source, developers.change)
    .execute();
}

async function addToSource(
  orm: Statements,
  { source, by, committedAt }: { source: string; by: number; committedAt: string },
): Promise<void> {
  await orm
    .insert(sourceCounts)
    .values({ source, developers: by, lastImportAt: committedAt })
    .onConflictDoUpdate({
      target: sourceCounts.source,
      set: { developers: sql`${sourceCounts.developers} + ${by}`, lastImportAt: committedAt },
    });
}
