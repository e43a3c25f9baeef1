/** The tables of control.db. A change of them needs a migration. */
import { tableKit } from "../../queries/table-kit.ts";
import { defineControlTables } from "../tables/control-tables.ts";

/** @package */
export const tables = defineControlTables(tableKit);
