import { and, eq, exists, isNotNull, isNull, notExists, or, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "../../sqlite/database.ts";
import { developers, imports } from "./tables.ts";

/**
 * What readers see: rows whose import has been shown and which no shown import has replaced. This
 * condition is the whole of atomicity: giving one import row its revision turns it over for every row.
 *
 * @package
 */
export function isVisible({ orm }: Database): SQL {
  const bringing = alias(imports, "bringing");
  const replacing = alias(imports, "replacing");
  const isShown = orm
    .select({ id: bringing.id })
    .from(bringing)
    .where(and(eq(bringing.id, developers.importId), isNotNull(bringing.revision)));
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
