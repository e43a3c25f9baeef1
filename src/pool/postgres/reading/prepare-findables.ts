import { isNull, sql } from "drizzle-orm";
import type { PostgresDatabase } from "../../../postgres/database.ts";
import { applyChange } from "../postgres-context.ts";
import { findables } from "../tables.ts";
import { toFindableValues } from "./findable-values.ts";

const rowsAtOnce = 250;

/** @package Fills in rows of `findable` that have no names yet. The values come from the column `keys`. */
export async function prepareFindables(database: PostgresDatabase): Promise<void> {
  for (let rows = rowsAtOnce; rows === rowsAtOnce; ) {
    rows = await applyChange(database, async (orm) => {
      const batch = await orm
        .select({ rowId: findables.rowId, keys: findables.keys })
        .from(findables)
        .where(isNull(findables.names))
        .limit(rowsAtOnce);
      if (batch.length === 0) return 0;
      await orm
        .insert(findables)
        .values(batch.map(({ rowId, keys }) => ({ rowId, ...toFindableValues(keys) })))
        .onConflictDoUpdate({
          target: findables.rowId,
          set: {
            score: sql`excluded.score`,
            names: sql`excluded.names`,
            exactKeys: sql`excluded.exact_keys`,
          },
        });
      return batch.length;
    });
  }
}
