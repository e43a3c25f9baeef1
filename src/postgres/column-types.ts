/** Column types with the same values as the SQLite tables have, so that rows can be moved, compared and sorted alike. */
import { sql as client } from "bun";
import { type Column, type SQL, sql } from "drizzle-orm";
import { customType } from "drizzle-orm/pg-core";

/** Text that is compared and sorted byte by byte, whatever the database's locale. */
export const text = customType<{ data: string; driverData: string }>({
  dataType: () => 'text COLLATE "C"',
});

/** Any number of them. */
export const texts = customType<{ data: readonly string[]; driverData: unknown }>({
  dataType: () => 'text[] COLLATE "C"',
  toDriver: (value) => client.array([...value], "TEXT"),
});

/** Bytes. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A whole number of up to 53 bits. */
export const whole = customType<{ data: number; driverData: string }>({
  dataType: () => "bigint",
  fromDriver: Number,
  toDriver: String,
});

/** Milliseconds since 1970, as a Date. */
export const instant = customType<{ data: Date; driverData: string }>({
  dataType: () => "bigint",
  fromDriver: (value) => new Date(Number(value)),
  toDriver: (value) => String(value.getTime()),
});

/** Anything that JSON can say, as text: the server never changes its spelling. */
export const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text COLLATE "C"',
  fromDriver: (value) => JSON.parse(value),
  toDriver: (value) => JSON.stringify(value),
});

/** Like drizzle's `inArray`, but one statement for any number of values, which is prepared once. */
export function isAnyOf(
  column: Column,
  values: readonly (string | Buffer)[],
  type: "TEXT" | "BYTEA" = "TEXT",
): SQL {
  return sql`${column} = ANY (${sql.param(client.array([...values], type))})`;
}

/** Whole numbers as one parameter; those of 64 bits as text. */
export function toArray(values: Iterable<number | string>, type: "INT" | "BIGINT" = "INT"): SQL {
  return sql`${sql.param(client.array([...values], type))}`;
}
