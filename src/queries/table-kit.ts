/**
 * Defines tables that both databases have. A function creates them with this kit for SQLite, and with the kit from
 * `createTableKit` for PostgreSQL. The columns of both kits hold the same values.
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

/**
 * A column of lists or objects, stored as JSON. A string is taken as JSON already, since the sign-in library serializes
 * its own values for SQLite.
 */
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
  /** A number that the database assigns to each row. It is never reused. */
  generatedId: (name = "") => integer(name).primaryKey({ autoIncrement: true }),
  /** A generated number of up to 31 bits. */
  generatedShort: (name = "") => integer(name).primaryKey({ autoIncrement: true }),
};

export const tableKit = { ...columnMakers, table: sqliteTable, index, uniqueIndex, primaryKey };

export type TableKit = typeof tableKit;
