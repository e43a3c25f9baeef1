import { and, eq, exists, isNotNull, isNull, notExists, or, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Statements } from "../../postgres/database.ts";
import { developers, imports } from "./tables.ts";

/** @package Whether a row is visible: as in SQLite, by the revisions of the imports that brought and replaced it. */
export function isVisible(orm: Statements): SQL {
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
