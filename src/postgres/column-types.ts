/** Column types that hold the same values as SQLite's tables, so that rows can be moved and compared. */
import { sql as client } from "bun";
import { type Column, type SQL, sql } from "drizzle-orm";
import { customType } from "drizzle-orm/pg-core";

/** Text that is compared byte by byte. */
export const text = customType<{ data: string; driverData: string }>({
  dataType: () => 'text COLLATE "C"',
});

export const texts = customType<{ data: readonly string[]; driverData: unknown }>({
  dataType: () => 'text[] COLLATE "C"',
  toDriver: (value) => client.array([...value], "TEXT"),
});

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A whole number of up to 53 bits. */
export const whole = customType<{ data: number; driverData: string }>({
  dataType: () => "bigint",
  fromDriver: Number,
  toDriver: String,
});

/** A Date, stored as milliseconds since 1970. */
export const instant = customType<{ data: Date; driverData: string }>({
  dataType: () => "bigint",
  fromDriver: (value) => new Date(Number(value)),
  toDriver: (value) => String(value.getTime()),
});

/** A JSON value, stored as text. The server never changes its spelling. */
export const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text COLLATE "C"',
  fromDriver: (value) => JSON.parse(value),
  toDriver: (value) => JSON.stringify(value),
});

/** Like drizzle's `inArray`, but one prepared statement serves any number of values. */
export function isAnyOf(
  column: Column,
  values: readonly (string | Buffer)[],
  type: "TEXT" | "BYTEA" = "TEXT",
): SQL {
  return sql`${column} = ANY (${sql.param(client.array([...values], type))})`;
}

/** Passes whole numbers as one parameter. */
export function toArray(values: Iterable<number | string>, type: "INT" | "BIGINT" = "INT"): SQL {
  return sql`${sql.param(client.array([...values], type))}`;
}
