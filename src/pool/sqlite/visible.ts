import { and, eq, exists, isNotNull, isNull, notExists, or, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "../../sqlite/database.ts";
import { developers, imports } from "./tables.ts";

/**
 * A row is visible if its import has a revision and no import with a revision has replaced it. This
 * condition makes imports atomic: setting the revision of one import changes it for every row.
 *
 * @package
 */
export function isVisible({ orm }: Database): SQL {
  const own = alias(imports, "own");
  const replacing = alias(imports, "replacing");
  const isShown = orm
    .select({ id: own.id })
    .from(own)
    .where(and(eq(own.id, developers.importId), isNotNull(own.revision)));
  const isReplaced = orm
    .select({ id: replacing.id })
    .from(replacing)
    .where(and(eq(replacing.id, developers.supersededBy), isNotNull(replacing.revision)));
  const condition = and(
    exists(isShown),
    or(isNull(developers.supersededBy), notExists(isReplaced)),
  );
  if (!condition) throw new Error("A condition of two parts is never empty.");
  return condition;
}
