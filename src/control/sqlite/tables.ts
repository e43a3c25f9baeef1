/**
 * The tables of control.db. A change needs a migration written by hand. STRICT, WITHOUT ROWID and triggers are in the
 * migrations only.
 */
import { tableKit } from "../../queries/table-kit.ts";
import { defineControlTables } from "../tables/control-tables.ts";

/** @package */
export const tables = defineControlTables(tableKit);
