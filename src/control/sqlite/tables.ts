/** The tables of control.db. A change needs a migration. STRICT, WITHOUT ROWID and triggers are only in the migrations. */
import { tableKit } from "../../queries/table-kit.ts";
import { defineControlTables } from "../tables/control-tables.ts";

/** @package */
export const tables = defineControlTables(tableKit);
