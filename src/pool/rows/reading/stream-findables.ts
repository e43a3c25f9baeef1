/** By what people are found, row by row: short texts beside the facts, so that an index over everybody reads fast. */
import { and, eq, gt } from "drizzle-orm";
import type { Assessment } from "../../../contract/people/assessment.ts";
import { fetchRow, fetchRows, type Work } from "../../../queries/work.ts";
import type { FindableDeveloper } from "../../pool.ts";
import { parseStored, unpackJson } from "../pack-developer.ts";
import { type FindingKeys, toFindingKeys, unpackFindable } from "../pack-findable.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { isVisible } from "../visible.ts";

const rowsAtOnce = 256;

/**
 * Streams by login in code-unit order of its lower case; rows without stored keys are read from their facts. No
 * statement stays open between two batches, because a server that streams must go on seeing what others write.
 */
export async function* streamFindables({
  read,
}: PoolContext): AsyncGenerator<readonly FindableDeveloper[]> {
  for (let last: string | undefined = ""; last !== undefined; ) {
    const after: string = last;
    const batch = await read((rows) => readFindables(rows, after));
    if (batch.found.length > 0) yield batch.found;
    last = batch.last;
  }
}

function* readFindables(rows: PoolQueries, after: string) {
  const { queries, tables } = rows;
  const { developers, findables } = tables;
  const { rowId, loginKey } = developers;
  const batch = yield* fetchRows(
    queries
      .select({ rowId, loginKey, keys: findables.keys })
      .from(developers)
      .leftJoin(findables, eq(findables.rowId, rowId))
      .where(and(gt(loginKey, after), isVisible(rows)))
      .orderBy(loginKey)
      .limit(rowsAtOnce),
  );
  const found: FindableDeveloper[] = [];
  for (const row of batch) {
    const keys =
      row.keys === null ? yield* readKeys(rows, row.rowId) : unpackFindable(parseStored(row.keys));
    if (keys) found.push({ rowId: row.rowId, ...keys });
  }
  return { found, last: batch.at(-1)?.loginKey };
}

/** @returns undefined when the row was erased since it was listed. */
function* readKeys(
  { queries, tables: { dossiers, cards } }: PoolQueries,
  rowId: number,
): Work<FindingKeys | undefined> {
  const { facts, analysis } = dossiers;
  const row = yield* fetchRow(
    queries
      .select({ facts, analysis, card: cards.card })
      .from(dossiers)
      .innerJoin(cards, eq(cards.rowId, dossiers.rowId))
      .where(eq(dossiers.rowId, rowId)),
  );
  return (
    row &&
    toFindingKeys({
      facts: unpackJson(row.facts) as Assessment["facts"],
      analysis: unpackJson(row.analysis) as Assessment["analysis"],
      card: parseStored(row.card) as Assessment["card"],
    })
  );
}
