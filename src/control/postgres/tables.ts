/** The tables of PostgreSQL's schema `control`. A change of them needs a migration. */
import { pgSchema } from "drizzle-orm/pg-core";
import { createTableKit } from "../../postgres/table-kit.ts";
import { defineControlTables } from "../tables/control-tables.ts";

export const controlSchema = pgSchema("control");

/** @package */
export const tables = defineControlTables(createTableKit(controlSchema));
