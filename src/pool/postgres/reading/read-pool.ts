import { and, eq, gt, inArray, sql } from "drizzle-orm";

import type { Facts } from "../../../contract/people/facts.ts";
import type { PostgresDatabase, Statements } from "../../../postgres/database.ts";
import { toQueries } from "../../../postgres/run-awaited.ts";
import type { FeatureRow, Pool, SearchableRows } from "../../pool.ts";
import { selectOldCard, unpackRankingFeatures } from "../../rows/ranking-features.ts";
import { parseAnalyses, unpackJson, unpackText } from "../../rows/unpack.ts";
import { isVisible, selectVisible } from "../../rows/visible.ts";
import { runWork, toRows } from "../postgres-context.ts";
import { poolTables } from "../tables.ts";
import { createWrittenCards } from "./written-cards.ts";

const { developers, dossiers, poolState, rankingFeatures, sourceCounts } = poolTables;

/** The most used methods, and methods that PostgreSQL can answer in one statement. */
export function createHotReader({ read }: PostgresDatabase) {
  const readWritten = createWrittenCards();
  const findRowIds = (orm: Statements, logins: readonly string[]) =>
    runWork(orm, (rows) => rows.findRows(logins));
  const findWrittenAnalyses: Pool["findWrittenAnalyses"] = (logins) =>
    read(async (orm) => readAnalysisTexts(orm, await findRowIds(orm, logins)));
  return {
    revision: () =>
      read(async (orm) => {
        const [state] = await toQueries(orm)
          .select({ revision: poolState.revision })
          .from(poolState);
        return state?.revision ?? 0;
      }),
    findWrittenCards: (logins) =>
      read(async (orm) => readWritten(orm, await findRowIds(orm, logins))),
    findAnalyses: async (logins) => parseAnalyses(await findWrittenAnalyses(logins)),
    findWrittenAnalyses,
    findRankingFeatures: (login) =>
      read(async (orm) => {
        const [rowId] = await findRowIds(orm, [login]);
        if (rowId === undefined) return undefined;
        const isRow = eq(rankingFeatures.rowId, rowId);
        const [row] = await selectFeatures(orm).where(isRow);
        if (!row) return undefined;
        return { rowId, standing: unpackRankingFeatures(row.standing, row.card) };
      }),
    writtenCards: (rowIds) => read((orm) => readWritten(orm, rowIds)),
    sources: () =>
      read((orm) => toQueries(orm).select().from(sourceCounts).orderBy(sourceCounts.source)),
    searchableRows: () => read(readSearchableRows),
  } satisfies Partial<Pool>;
}

async function readAnalysisTexts(
  orm: Statements,
  rowIds: readonly (number | undefined)[],
): Promise<readonly (string | undefined)[]> {
  const known = rowIds.filter((rowId) => rowId !== undefined);
  if (known.length === 0) return rowIds.map(() => undefined);
  const { rowId, analysis } = dossiers;
  const rows = await toQueries(orm)
    .select({ rowId, analysis })
    .from(dossiers)
    .where(inArray(rowId, known));
  const texts = new Map(rows.map((row) => [row.rowId, unpackText(row.analysis)]));
  return rowIds.map((rowId) => (rowId === undefined ? undefined : texts.get(rowId)));
}

const rowsAtOnce = 1000;
const dossiersAtOnce = 200;

/** Reads everything in one statement, because the rows must be of one moment. */
async function readSearchableRows(orm: Statements): Promise<SearchableRows> {
  const { rowId } = developers;
  const searchable = selectVisible(toRows(orm), { rowId }, eq(developers.searchable, true));
  const found = await toQueries(orm)
    .select({
      revision: poolState.revision,
      rowIds: sql<number[]>`ARRAY(${searchable.orderBy(rowId)})`,
    })
    .from(poolState);
  const [{ revision, rowIds } = { revision: 0, rowIds: [] }] = found;
  return { revision, rowIds: Uint32Array.from(rowIds) };
}

/** Streams the ranking features of the given rows; by default, of all searchable rows. */
export function streamRankingFeatures(
  database: PostgresDatabase,
  rowIds?: Uint32Array,
): AsyncGenerator<readonly FeatureRow[]> {
  return rowIds ? readRankingFeatures(database, rowIds) : readAllRankingFeatures(database);
}

async function* readRankingFeatures(
  { orm }: PostgresDatabase,
  rowIds: Uint32Array,
): AsyncGenerator<readonly FeatureRow[]> {
  for (let at = 0; at < rowIds.length; at += rowsAtOnce) {
    const some = Array.from(rowIds.subarray(at, at + rowsAtOnce));
    yield await selectFeatures(orm)
      .where(inArray(rankingFeatures.rowId, some))
      .orderBy(rankingFeatures.rowId);
  }
}

/** Reads page by page, because a list of all row ids would take too much memory. */
async function* readAllRankingFeatures({
  orm,
}: PostgresDatabase): AsyncGenerator<readonly FeatureRow[]> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const batch: readonly FeatureRow[] = await selectFeatures(orm)
      .innerJoin(developers, eq(developers.rowId, rankingFeatures.rowId))
      .where(
        and(gt(developers.rowId, last), eq(developers.searchable, true), isVisible(toRows(orm))),
      )
      .orderBy(developers.rowId)
      .limit(rowsAtOnce);
    if (batch.length > 0) yield batch;
    last = batch.at(-1)?.rowId;
  }
}

function selectFeatures(orm: Statements) {
  const { rowId, standing } = rankingFeatures;
  const card = selectOldCard(toRows(orm));
  return toQueries(orm).select({ rowId, standing, card }).from(rankingFeatures);
}

/** Streams the facts of all visible developers. Changes after the start are not seen. */
export async function* streamFacts(database: PostgresDatabase): AsyncGenerator<readonly Facts[]> {
  yield* readSnapshot(database, async function* (orm) {
    for (let last: string | undefined = ""; last !== undefined; ) {
      const batch: { login: string; facts: Uint8Array }[] = await toQueries(orm)
        .select({ login: developers.login, facts: dossiers.facts })
        .from(developers)
        .innerJoin(dossiers, eq(dossiers.rowId, developers.rowId))
        .where(and(gt(developers.login, last), isVisible(toRows(orm))))
        .orderBy(developers.login)
        .limit(dossiersAtOnce);
      if (batch.length > 0) yield batch.map(({ facts }) => unpackJson(facts) as Facts);
      last = batch.at(-1)?.login;
    }
  });
}

/** Reads on its own connection. Changes after the start are not seen. */
async function* readSnapshot<Row>(
  database: PostgresDatabase,
  readAll: (orm: Statements) => AsyncGenerator<Row>,
): AsyncGenerator<Row> {
  const { orm, release } = await database.reserve();
  try {
    await orm.execute(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    yield* readAll(orm);
  } finally {
    await orm.execute(sql`ROLLBACK`).catch(() => {});
    release();
  }
}
