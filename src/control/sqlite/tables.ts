/**
 * The tables of control.db. Its migrations follow them, written by hand: STRICT, WITHOUT ROWID and triggers are there alone.
 */
import { tableKit } from "../../queries/table-kit.ts";
import { defineControlTables } from "../tables/control-tables.ts";

/** @package */
export const tables = defineControlTables(tableKit);
