import type { Database } from "../../sqlite/database.ts";
import type { PoolQueries } from "../rows/pool-context.ts";
import { poolTables } from "./tables.ts";

/** @returns what queries of a file are built with. */
export function getQueries({ orm }: Pick<Database, "orm">): PoolQueries {
  return { queries: orm, tables: poolTables };
}
