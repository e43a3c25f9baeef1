/** The two steps of every change to the pool: delete rows, and raise the revision. Call both inside a transaction. */
import { inArray, sql } from "drizzle-orm";
import type { Database } from "../../sqlite/database.ts";
import * as tables from "./tables.ts";

const { developers, poolState } = tables;
/** All that belongs to a row of `developers`. */
const partsOfRow = [
  tables.cards,
  tables.rankingFeatures,
  tables.dossiers,
  tables.formerLogins,
  tables.findables,
] as const;

/** @package Removes these rows from all tables. */
export function deleteRows({ orm }: Database, rowIds: number[]): void {
  for (const part of partsOfRow) orm.delete(part).where(inArray(part.rowId, rowIds)).run();
  orm.delete(developers).where(inArray(developers.rowId, rowIds)).run();
}

/** @package Raises the revision if there is a change, so that readers in every process notice. @returns the revision. */
export function advanceRevision({ orm }: Database, isChange: boolean): number {
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
