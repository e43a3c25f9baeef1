/**
 * The functions that declare a table once for both databases. `createTableKit` returns the same functions for PostgreSQL; the
 * other exports are for SQLite.
 */
import {
  blob,
  customType,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** A column of lists or objects, stored as JSON. A string must already be JSON. */
const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => "text",
  fromDriver: (value) => JSON.parse(value),
  toDriver: (value) => (typeof value === "string" ? value : JSON.stringify(value)),
});

/** A column without a name gets the name of its field. */
export const columnMakers = {
  text: (name = "") => text(name),
  /** A whole number of up to 53 bits. */
  whole: (name = "") => integer(name),
  /** A whole number of up to 31 bits. */
  short: (name = "") => integer(name),
  real: (name = "") => real(name),
  flag: (name = "") => integer(name, { mode: "boolean" }),
  /** A Date, stored as milliseconds since 1970. */
  instant: (name = "") => integer(name, { mode: "timestamp_ms" }),
  bytes: (name = "") => blob(name, { mode: "buffer" }),
  json: (name = "") => json(name),
  /** A number that the database assigns to each row. No number is used twice. */
  generatedId: (name = "") => integer(name).primaryKey({ autoIncrement: true }),
  /** A generated number of up to 31 bits. */
  generatedShort: (name = "") => integer(name).primaryKey({ autoIncrement: true }),
};

export const tableKit = { ...columnMakers, table: sqliteTable, index, uniqueIndex, primaryKey };

export type TableKit = typeof tableKit;
