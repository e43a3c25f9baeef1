/**
 * The rows of a developer are immutable: when the facts or the analysis change, the developer gets a new row, and the old row
 * stays until no reader can need it. So an import is staged next to the visible rows, one small write makes all of it visible,
 * and an index of the previous revision still finds its cards by row id.
 */
import type { TableKit } from "../../queries/table-kit.ts";
import { defineDecisionTables } from "./decision-tables.ts";
import { defineDeveloperTables } from "./developer-tables.ts";
import { defineRepositoryTables } from "./repository-tables.ts";

/** Defines the tables that both databases have. */
export function definePoolTables(kit: TableKit) {
  return {
    ...defineDeveloperTables(kit),
    ...defineRepositoryTables(kit),
    ...defineDecisionTables(kit),
  };
}
