import { and, count, eq, lte, sql } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import type { ImportCounts } from "../../pool.ts";
import { advanceRevision } from "../changing.ts";
import { developers, erasures, imports, sourceCounts } from "../tables.ts";

/**
 * Makes a staged import visible: counts first, then runs one small transaction whatever the import's size.
 * An import that changes nothing leaves the revision, so that no index is rebuilt for it.
 *
 * @package
 */
export function publishImport(
  store: Database,
  importId: number,
  committedAt: string,
): Omit<ImportCounts, "suppressed"> {
  const { orm } = store;
  let counted = countAll(store, importId);
  const transact = () => {
    // The counts may include a person erased since: count again, inside the transaction.
    if (countErasures(store) !== counted.erasures) counted = countAll(store, importId);
    const { added, superseded } = counted.changes;
    const revision = advanceRevision(store, added + superseded > 0);
    orm
      .update(imports)
      .set({ revision, committedAt, isSwept: superseded === 0 })
      .where(eq(imports.id, importId))
      .run();
    for (const { source, by } of counted.sources) addToSource(store, source, by, committedAt);
    orm.delete(sourceCounts).where(lte(sourceCounts.developers, 0)).run();
    return revision;
  };
  const revision = orm.transaction(transact, { behavior: "immediate" });
  const { added, replaced, rejudged, kept, superseded } = counted.changes;
  const removed = superseded - replaced - rejudged;
  return { revision, added, replaced, unchanged: rejudged + kept, removed };
}

function countAll(store: Database, importId: number) {
  return {
    // First, so that an erasure during the other counts is noticed.
    erasures: countErasures(store),
    changes: countChanges(store, importId),
    sources: countSources(store, importId),
  };
}

function countErasures({ orm }: Database): number {
  return orm.select({ n: count() }).from(erasures).get()?.n ?? 0;
}

function addToSource({ orm }: Database, source: string, by: number, lastImportAt: string): void {
  orm
    .insert(sourceCounts)
    .values({ source, developers: by, lastImportAt })
    .onConflictDoUpdate({
      target: sourceCounts.source,
      set: { developers: sql`${sourceCounts.developers} + ${by}`, lastImportAt },
    })
    .run();
}

function countChanges(store: Database, importId: number) {
  const { orm } = store;
  const rows = orm
    .select({ change: developers.change, n: count() })
    .from(developers)
    .where(eq(developers.importId, importId))
    .groupBy(developers.change)
    .all();
  const of = (change: string) => rows.find((row) => row.change === change)?.n ?? 0;
  return {
    added: of("added"),
    replaced: of("replaced"),
    rejudged: of("unchanged"),
    kept: countRows(store, isKept(importId)),
    superseded: countRows(store, eq(developers.supersededBy, importId)),
  };
}

const isKept = (importId: number) =>
  and(eq(developers.confirmedBy, importId), sql`${developers.supersededBy} IS NOT ${importId}`);

function countRows({ orm }: Database, condition: ReturnType<typeof and>): number {
  return orm.select({ n: count() }).from(developers).where(condition).get()?.n ?? 0;
}

/** By how much each source grows or shrinks; a source whose rows were only confirmed grows by 0. */
function countSources({ orm }: Database, importId: number) {
  const by = new Map<string, number>();
  const add = (condition: ReturnType<typeof and>, factor: 1 | 0 | -1) => {
    const rows = orm
      .select({ source: developers.source, n: count() })
      .from(developers)
      .where(condition)
      .groupBy(developers.source)
      .all();
    for (const { source, n } of rows) by.set(source, (by.get(source) ?? 0) + factor * n);
  };
  add(eq(developers.importId, importId), 1);
  add(eq(developers.supersededBy, importId), -1);
  add(isKept(importId), 0);
  return [...by].map(([source, change]) => ({ source, by: change }));
}
