/**
 * The rows of a developer never change: if the facts or the analysis change, the developer gets a new row. So all rows of an
 * import become visible at once, and an index of the previous revision still finds its cards.
 */
import type { TableKit } from "../../queries/table-kit.ts";
import { defineDecisionTables } from "./decision-tables.ts";
import { defineDeveloperTables, defineImportTables } from "./developer-tables.ts";
import { defineRepositoryTables } from "./repository-tables.ts";

export function definePoolTables(kit: TableKit) {
  return {
    ...defineDeveloperTables(kit),
    ...defineImportTables(kit),
    ...defineRepositoryTables(kit),
    ...defineDecisionTables(kit),
  };
}
