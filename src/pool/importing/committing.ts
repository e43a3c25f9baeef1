import { and, count, eq, lte, sql } from "drizzle-orm";
import type { Store } from "../../store/store.ts";
import type { Import } from "../pool.ts";
import { developers, imports, poolState, sourceCounts } from "../tables.ts";

/**
 * Shows a staged import: counts first, then one small transaction whatever the import's size.
 * An import that changes nothing moves no revision, so nobody rebuilds an index for it.
 *
 * @package
 */
export function showImport(
  store: Store,
  importId: number,
  committedAt: string,
): ReturnType<Import["commit"]> {
  const { orm } = store;
  const changes = countChanges(store, importId);
  const { added, replaced, rejudged, kept, superseded } = changes;
  const removed = superseded - replaced - rejudged;
  const isChange = added + superseded > 0;
  const sources = countSources(store, importId);
  const transact = () => {
    const revision = nextRevision(store, isChange);
    orm
      .update(imports)
      .set({ revision, committedAt, isSwept: superseded === 0 })
      .where(eq(imports.id, importId))
      .run();
    for (const { source, by } of sources) addToSource(store, source, by, committedAt);
    orm.delete(sourceCounts).where(lte(sourceCounts.developers, 0)).run();
    return revision;
  };
  const revision = orm.transaction(transact, { behavior: "immediate" });
  return { revision, added, replaced, unchanged: rejudged + kept, removed };
}

function nextRevision({ orm }: Store, isChange: boolean): number {
  const step = isChange ? 1 : 0;
  const { revision } = orm
    .insert(poolState)
    .values({ id: 1, revision: step })
    .onConflictDoUpdate({
      target: poolState.id,
      set: { revision: sql`${poolState.revision} + ${step}` },
    })
    .returning({ revision: poolState.revision })
    .get();
  return revision;
}

function addToSource({ orm }: Store, source: string, by: number, lastImportAt: string): void {
  orm
    .insert(sourceCounts)
    .values({ source, developers: by, lastImportAt })
    .onConflictDoUpdate({
      target: sourceCounts.source,
      set: { developers: sql`${sourceCounts.developers} + ${by}`, lastImportAt },
    })
    .run();
}

function countChanges(store: Store, importId: number) {
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

function countRows({ orm }: Store, condition: ReturnType<typeof and>): number {
  return orm.select({ n: count() }).from(developers).where(condition).get()?.n ?? 0;
}

/** By how much each source grows or shrinks; a source whose rows were only confirmed grows by 0. */
function countSources({ orm }: Store, importId: number) {
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
