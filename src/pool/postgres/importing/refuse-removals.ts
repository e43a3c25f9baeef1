import { and, count, desc, eq, notExists } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Statements } from "../../../postgres/database.ts";
import { createRemovalsFault } from "../../rows/removals.ts";
import { developers, formerLogins } from "../tables.ts";

/**
 * @package
 * @throws Fault (`removals`) when a staged import would remove more people than that.
 */
export async function refuseRemovals(
  orm: Statements,
  importId: number,
  removalsMax: number,
): Promise<void> {
  const staged = alias(developers, "staged");
  const isReplaced = orm
    .select({ rowId: staged.rowId })
    .from(staged)
    .where(and(eq(staged.loginKey, developers.loginKey), eq(staged.importId, importId)));
  // Whoever became one with another lives on under that login.
  const livesOn = orm
    .select({ rowId: formerLogins.rowId })
    .from(formerLogins)
    .innerJoin(staged, eq(staged.rowId, formerLogins.rowId))
    .where(and(eq(formerLogins.loginKey, developers.loginKey), eq(staged.importId, importId)));
  const removed = await orm
    .select({ source: developers.source, n: count() })
    .from(developers)
    .where(and(eq(developers.supersededBy, importId), notExists(isReplaced), notExists(livesOn)))
    .groupBy(developers.source)
    .orderBy(desc(count()));
  const fault = createRemovalsFault(removed, removalsMax);
  if (fault) throw fault;
}
