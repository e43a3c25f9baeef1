import { between, eq, sql } from "drizzle-orm";
import {
  listWorkedRepositories,
  type NamedRepository,
} from "../../../contract/people/assessment.ts";
import type { Facts } from "../../../contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { type Database, prepareOnce } from "../../../sqlite/database.ts";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { FeatureRow, Pool } from "../../pool.ts";
import { selectOldCard, unpackRankingFeatures } from "../../rows/ranking-features.ts";
import { DamagedRow, parseAnalyses, unpackJson, unpackText } from "../../rows/unpack.ts";
import { selectVisible } from "../../rows/visible.ts";
import { getQueries } from "../get-queries.ts";
import { poolTables } from "../tables.ts";
import type { RowFinder } from "./row-finder.ts";
import { createWrittenCards } from "./written-cards.ts";

const { developers, dossiers, rankingFeatures, sourceCounts } = poolTables;
const storedFeatures = { rowId: rankingFeatures.rowId, standing: rankingFeatures.standing };

/** The most used methods. Each statement is prepared once. */
export function createHotReader(store: Database, rows: RowFinder) {
  const { orm } = store;
  const written = createWrittenCards(store, rows);
  const repositoriesOf = createRepositoryReader(store);
  const rowId = sql.placeholder("rowId");
  const analysisOf = prepareOnce(() =>
    orm.select({ analysis: dossiers.analysis }).from(dossiers).where(eq(dossiers.rowId, rowId)),
  );
  const featuresOf = prepareOnce(() =>
    orm
      .select({ standing: rankingFeatures.standing, card: selectOldCard(getQueries(store)) })
      .from(rankingFeatures)
      .where(eq(rankingFeatures.rowId, rowId)),
  );
  const sources = prepareOnce(() => orm.select().from(sourceCounts).orderBy(sourceCounts.source));
  const findAnalysis = (login: string) => {
    const rowId = written.findRow(login);
    const found = rowId === undefined ? undefined : analysisOf().get({ rowId });
    return found && unpackText(found.analysis);
  };
  return {
    revision: written.revision,
    findWrittenCards: (logins) => logins.map(written.find),
    findAnalyses: (logins) => parseAnalyses(logins.map(findAnalysis)),
    findWrittenAnalyses: (logins) => logins.map(findAnalysis),
    findRankingFeatures: (login) => {
      const rowId = rows.find(login);
      const found = rowId === undefined ? undefined : featuresOf().get({ rowId });
      if (rowId === undefined || found === undefined) return undefined;
      const readRepositories = () => repositoriesOf(rowId);
      const standing = unpackRankingFeatures(found.standing, found.card, readRepositories);
      return { rowId, standing };
    },
    writtenCards: written.read,
    sources: () => sources().all(),
    searchableRows: () =>
      orm.transaction(() => ({ revision: written.revision(), rowIds: readSearchableRows(store) })),
  } satisfies Partial<Immediate<Pool>>;
}

function readSearchableRows(store: Database): Uint32Array {
  const { rowId, searchable } = developers;
  const query = selectVisible(getQueries(store), { rowId }, eq(searchable, true)).orderBy(rowId);
  const rowIds = Array.from(
    streamRows<{ row_id: number }>(store, query.toSQL()),
    (row) => row.row_id,
  );
  const last = rowIds.at(-1) ?? 0;
  if (last > 0xffffffff) throw new Error(`Row id ${last} does not fit the index's 32 bits.`);
  return Uint32Array.from(rowIds);
}

/** Reads all rows from the first to the last, and skips rows that were not requested. */
export function* streamRankingFeatures(
  store: Database,
  rowIds: Uint32Array = readSearchableRows(store),
): Generator<FeatureRow> {
  const query = store.orm
    .select({ ...storedFeatures, card: selectOldCard(getQueries(store)) })
    .from(rankingFeatures)
    .where(between(rankingFeatures.rowId, rowIds[0] ?? 0, rowIds.at(-1) ?? 0))
    .orderBy(rankingFeatures.rowId);
  const readRepositories = createRepositoryReader(store);
  let at = 0;
  type Row = { row_id: number; standing: string; card: string | null };
  for (const row of streamRows<Row>(store, query.toSQL())) {
    const { row_id: rowId, standing, card } = row;
    while (at < rowIds.length && (rowIds[at] as number) < rowId) at++;
    if (rowIds[at] !== rowId) continue;
    yield { rowId, standing, readRepositories, card };
  }
}

/** Reads repositories from the facts, for old rows whose ranking features lack them. */
function createRepositoryReader({ orm }: Database): (rowId: number) => readonly NamedRepository[] {
  const query = prepareOnce(() =>
    orm
      .select({ facts: dossiers.facts, analysis: dossiers.analysis })
      .from(dossiers)
      .where(eq(dossiers.rowId, sql.placeholder("rowId"))),
  );
  return (rowId) => {
    const row = query().get({ rowId });
    if (!row) return [];
    try {
      const { asOf } = unpackJson(row.analysis) as ProfileAnalysis;
      return listWorkedRepositories((unpackJson(row.facts) as Facts).repositories, asOf);
    } catch (error) {
      // Skip the damaged row, so that everyone else is still found.
      if (error instanceof DamagedRow) return [];
      throw error;
    }
  };
}

/** Sorts only row ids, because sorting whole rows would load the pool into memory. Changes after the start are not seen. */
export function* streamFacts(store: Database): Generator<Facts> {
  const { rowId, login } = developers;
  const query = selectVisible(getQueries(store), { rowId }).orderBy(login);
  const dossier = store.orm
    .select({ facts: dossiers.facts })
    .from(dossiers)
    .where(eq(dossiers.rowId, sql.placeholder("rowId")))
    .prepare();
  for (const { row_id } of streamRows<{ row_id: number }>(store, query.toSQL())) {
    const row = dossier.get({ rowId: row_id });
    if (!row) throw new DamagedRow("a row has no dossier");
    yield unpackJson(row.facts) as Facts;
  }
}

/** Reads row by row, which drizzle cannot. */
function* streamRows<Row>({ sqlite }: Database, query: { sql: string; params: unknown[] }) {
  const statement = sqlite.prepare<Row, (string | number)[]>(query.sql);
  try {
    yield* statement.iterate(...(query.params as (string | number)[]));
  } finally {
    statement.finalize();
  }
}
