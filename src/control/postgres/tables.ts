/**
 * The tables of PostgreSQL's schema `control`. Its migrations follow them, written by hand: functions, triggers and fill
 * factors are there alone.
 */
import { pgSchema } from "drizzle-orm/pg-core";
import { createTableKit } from "../../postgres/table-kit.ts";
import { defineControlTables } from "../tables/control-tables.ts";

export const controlSchema = pgSchema("control");

/** @package */
export const tables = defineControlTables(createTableKit(controlSchema));
