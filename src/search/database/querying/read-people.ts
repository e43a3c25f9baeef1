import { sql } from "drizzle-orm";
import { toArray } from "../../../postgres/column-types.ts";
import type { Statements } from "../../../postgres/database.ts";
import { type PersonRecord, recordBytes, unpackPerson } from "../people-records.ts";
import { blocks } from "../tables.ts";

/** @package */
export interface PersonInBlock {
  readonly block: number;
  /** The position in the block. */
  readonly ordinal: number;
}

/** @package @returns one record for each person, in order. Fewer records mean that the generation was removed. */
export async function readPeople(
  statements: Statements,
  generation: number,
  wanted: readonly PersonInBlock[],
): Promise<readonly PersonRecord[]> {
  if (wanted.length === 0) return [];
  const rows = (await statements.execute(sql`
    SELECT substring(people FROM at * ${recordBytes}::int + 1 FOR ${recordBytes}::int) AS record
    FROM unnest(${toArray(wanted.map(({ block }) => block))}::int[], ${toArray(wanted.map(({ ordinal }) => ordinal))}::int[])
      WITH ORDINALITY AS asked (block, at, number)
    JOIN search.block USING (block)
    WHERE generation = ${generation} ORDER BY number`)) as unknown as { record: Buffer }[];
  return rows.map(({ record }) => unpackPerson(record, 0));
}

/** @package @returns the ordinal of a row of the pool. Undefined means that the generation does not have the row. */
export async function findRow(
  statements: Statements,
  { id, blockSize }: { readonly id: number; readonly blockSize: number },
  { from, to }: { readonly from: number; readonly to: number },
  rowId: number,
): Promise<number | undefined> {
  for (let first = from; first < to; ) {
    const number = Math.floor(first / blockSize);
    const end = Math.min(to, (number + 1) * blockSize);
    const start = (first - number * blockSize) * recordBytes + 1;
    const { block, people, generation } = blocks;
    const [row] = await statements
      .select({
        records: sql<Buffer>`substring(${people} FROM ${start}::int FOR ${(end - first) * recordBytes}::int)`,
      })
      .from(blocks)
      .where(sql`${generation} = ${id} AND ${block} = ${number}`);
    for (let at = 0; row && at < end - first; at++) {
      if (unpackPerson(row.records, at * recordBytes).rowId === rowId) return first + at;
    }
    first = end;
  }
  return undefined;
}
