/**
 * Defines tables that both databases have: a function makes them with this kit, and again with PostgreSQL's
 * (`createTableKit`). The columns of both kits have the same values.
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

/** Lists and objects as JSON. A value that is text is JSON already: the sign-in library converts its own for SQLite. */
const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => "text",
  fromDriver: (value) => JSON.parse(value),
  toDriver: (value) => (typeof value === "string" ? value : JSON.stringify(value)),
});

/** Without a name, a column has that of its field. */
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
  /** A number that the database gives each row: never one that it has given before. */
  generatedId: (name = "") => integer(name).primaryKey({ autoIncrement: true }),
  /** The same, of up to 31 bits. */
  generatedShort: (name = "") => integer(name).primaryKey({ autoIncrement: true }),
};

export const tableKit = { ...columnMakers, table: sqliteTable, index, uniqueIndex, primaryKey };

export type TableKit = typeof tableKit;
