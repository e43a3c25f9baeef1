import { isNull, sql } from "drizzle-orm";
import type { PostgresDatabase } from "../../../postgres/database.ts";
import { formatNames, listKeys } from "../../finding.ts";
import { parseStored } from "../../rows/pack-developer.ts";
import { type FindingKeys, unpackFindable } from "../../rows/pack-findable.ts";
import { applyChange } from "../postgres-context.ts";
import { findables } from "../tables.ts";

const rowsAtOnce = 250;

/** What people are found by, as columns of the table that their keys are in. */
export function toFindableColumns(keys: FindingKeys) {
  return {
    score: Math.round(keys.score * 10),
    names: formatNames(keys),
    exactKeys: listKeys(keys),
  };
}

/** @package Fills the columns of rows that have none, in short transactions. */
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
        .values(
          batch.map(({ rowId, keys }) => ({
            rowId,
            keys,
            ...toFindableColumns(unpackFindable(parseStored(keys))),
          })),
        )
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
