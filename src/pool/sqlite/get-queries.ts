import type { Database } from "../../sqlite/database.ts";
import type { PoolQueries } from "../rows/pool-context.ts";
import { poolTables } from "./tables.ts";

/** @returns the query builder and the tables of a file. */
export function getQueries({ orm }: Pick<Database, "orm">): PoolQueries {
  return { queries: orm, tables: poolTables };
}
