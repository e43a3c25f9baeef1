import type { BunSQLQueryResultHKT } from "drizzle-orm/bun-sql";
import type { PgDatabase } from "drizzle-orm/pg-core";

/** @package What queries run on: a pool of connections, one connection, or a transaction. */
export type PoolTransaction = PgDatabase<BunSQLQueryResultHKT, Record<string, never>>;

/** @package */
export interface PoolDatabase {
  readonly orm: PoolTransaction;
  /** A connection of its own, for what must stay on one: a lock, a cursor. */
  reserve(): Promise<ReservedConnection>;
  /** For messages: the address, without a secret. */
  readonly name: string;
  close(): Promise<void>;
}

/** @package */
export interface ReservedConnection {
  readonly orm: PoolTransaction;
  release(): void;
}
