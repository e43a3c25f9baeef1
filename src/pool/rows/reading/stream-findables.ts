/** Streams the names and keys by which people are found. */
import { eq, gt, inArray } from "drizzle-orm";
import type { Assessment } from "../../../contract/people/assessment.ts";
import { fetchRow, fetchRows, splitInBatches, type Work } from "../../../queries/work.ts";
import type { FindableRow } from "../../pool.ts";
import { type FindingKeys, toFindingKeys, unpackFindable } from "../pack-findable.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { parseStored, unpackJson } from "../unpack.ts";
import { selectVisible } from "../visible.ts";

/** The number of rows that are listed at once. */
const listedAtOnce = 2048;
const readAtOnce = 256;

/** Streams by login in lower case. No statement stays open between batches, so that others can change the pool. */
export async function* streamFindables(
  { read }: PoolContext,
  isKnown: (rowId: number) => boolean = () => false,
): AsyncGenerator<readonly FindableRow[]> {
  for (let last: string | undefined = ""; last !== undefined; ) {
    const after: string = last;
    const listed = await read((rows) => listRows(rows, after));
    for (const some of splitInBatches(listed, readAtOnce)) {
      const news = some.filter(({ rowId }) => !isKnown(rowId)).map(({ rowId }) => rowId);
      const keys = news.length === 0 ? noKeys : await read((rows) => readKeys(rows, news));
      yield some.flatMap(({ rowId }): FindableRow | [] => {
        if (isKnown(rowId)) return { rowId, isKnown: true };
        const found = keys.get(rowId);
        // A missing row was erased after it was listed.
        return found ? { rowId, ...found } : [];
      });
    }
    last = listed.at(-1)?.loginKey;
  }
}

const noKeys: ReadonlyMap<number, FindingKeys> = new Map();

function* listRows(rows: PoolQueries, after: string) {
  const { rowId, loginKey } = rows.tables.developers;
  const areNext = selectVisible(rows, { rowId, loginKey }, gt(loginKey, after));
  return yield* fetchRows(areNext.orderBy(loginKey).limit(listedAtOnce));
}

function* readKeys(
  rows: PoolQueries,
  rowIds: readonly number[],
): Work<ReadonlyMap<number, FindingKeys>> {
  const { findables } = rows.tables;
  const areSome = inArray(findables.rowId, [...rowIds]);
  const stored = yield* fetchRows(rows.queries.select().from(findables).where(areSome));
  const found = new Map(stored.map((row) => [row.rowId, unpackFindable(parseStored(row.keys))]));
  for (const rowId of rowIds) {
    const keys = found.get(rowId) ?? (yield* readKeysFromFacts(rows, rowId));
    if (keys) found.set(rowId, keys);
  }
  return found;
}

function* readKeysFromFacts(
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
