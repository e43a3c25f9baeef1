import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  type PgSchema,
  primaryKey,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { columnMakers, TableKit } from "../queries/table-kit.ts";
import { bytes, instant, json, text, whole } from "./column-types.ts";

/** Makers of columns that hold the same values as SQLite's columns. */
type SameValues = {
  readonly [Name in keyof typeof columnMakers]: (name?: string) => {
    readonly _: { readonly data: ReturnType<(typeof columnMakers)[Name]>["_"]["data"] };
  };
};

/** Creates a kit for tables in this schema. With it, one definition of a table serves both databases. */
export function createTableKit({ table }: PgSchema): TableKit {
  const columns = {
    text: (name = "") => text(name),
    whole: (name = "") => whole(name),
    short: (name = "") => integer(name),
    real: (name = "") => doublePrecision(name),
    flag: (name = "") => boolean(name),
    instant: (name = "") => instant(name),
    bytes: (name = "") => bytes(name),
    json: (name = "") => json(name),
    generatedId: (name = "") =>
      bigint(name, { mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
    generatedShort: (name = "") => integer(name).primaryKey().generatedAlwaysAsIdentity(),
  } satisfies SameValues;
  return { ...columns, table, index, uniqueIndex, primaryKey } as unknown as TableKit;
}
