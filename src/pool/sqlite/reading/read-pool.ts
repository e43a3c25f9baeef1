import { and, between, eq, inArray, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  listWorkedRepositories,
  type NamedRepository,
} from "../../../contract/people/assessment.ts";
import type { Card } from "../../../contract/people/developer.ts";
import type { Facts } from "../../../contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { type Database, prepareOnce } from "../../../sqlite/database.ts";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { Pool, RankedRow } from "../../pool.ts";
import {
  DamagedRow,
  parseStored,
  unpackJson,
  unpackRankingFeatures,
  unpackText,
} from "../../rows/pack-developer.ts";
import * as tables from "../tables.ts";
import { isVisible } from "../visible.ts";
import { createRowFinder } from "./row-finder.ts";
import { createWrittenCards } from "./written-cards.ts";

const { developers, cards, dossiers, rankingFeatures, sourceCounts } = tables;

/** The methods of the pool that read; each statement is prepared once. */
export type PoolReader = Pick<
  Immediate<Pool>,
  | "revision"
  | "size"
  | "findCards"
  | "findFacts"
  | "findAnalyses"
  | "findWrittenCards"
  | "findWrittenAnalyses"
  | "findRankingFeatures"
  | "cards"
  | "writtenCards"
  | "logins"
  | "searchableRows"
  | "sources"
>;

export function readPool(store: Database): PoolReader {
  const { orm } = store;
  const rows = createRowFinder(store);
  const byRow = (column: SQLiteColumn, table: PartOfRow) => {
    const query = prepareOnce(() =>
      orm
        .select({ found: column })
        .from(table)
        .where(eq(table.rowId, sql.placeholder("rowId"))),
    );
    return (rowId: number | undefined) =>
      rowId === undefined ? undefined : (query().get({ rowId })?.found ?? undefined);
  };
  const cardOf = byRow(cards.card, cards);
  const factsOf = byRow(dossiers.facts, dossiers);
  const analysisOf = byRow(dossiers.analysis, dossiers);
  const standingOf = byRow(rankingFeatures.standing, rankingFeatures);
  const repositoriesOf = createRepositoryReader(store);
  const cardsById = prepareOnce(() => {
    const rowIds = sql`(SELECT value FROM json_each(${sql.placeholder("rowIds")}))`;
    return orm.select().from(cards).where(inArray(cards.rowId, rowIds));
  });
  const written = createWrittenCards(store, rows);
  const total = prepareOnce(() =>
    orm.select({ size: sql<number>`sum(developers)` }).from(sourceCounts),
  );
  const allLogins = prepareOnce(() =>
    orm
      .select({ login: developers.login })
      .from(developers)
      .where(isVisible(store))
      .orderBy(developers.login),
  );
  return {
    revision: written.revision,
    size: () => total().get()?.size ?? 0,
    findCards: (logins) => logins.map((login) => parsed<Card>(cardOf(rows.find(login)))),
    findFacts: (logins) => logins.map((login) => unpacked<Facts>(factsOf(rows.findCurrent(login)))),
    findAnalyses: (logins) =>
      logins.map((login) => unpacked<ProfileAnalysis>(analysisOf(rows.find(login)))),
    findWrittenCards: (logins) => logins.map(written.find),
    findWrittenAnalyses: (logins) =>
      logins.map((login) => {
        const analysis = analysisOf(written.findRow(login));
        return analysis && unpackText(analysis as Uint8Array);
      }),
    findRankingFeatures: (login) => {
      const rowId = rows.find(login);
      const standing = standingOf(rowId);
      if (rowId === undefined || standing === undefined) return undefined;
      const readRepositories = () => repositoriesOf(rowId);
      return { rowId, standing: unpackRankingFeatures(standing as string, readRepositories) };
    },
    cards: (rowIds) => {
      const rows = cardsById().all({ rowIds: JSON.stringify(rowIds) });
      return new Map(rows.map(({ rowId, card }) => [rowId, parseStored(card) as Card]));
    },
    searchableRows: () =>
      orm.transaction(() => ({ revision: written.revision(), rowIds: readSearchableRows(store) })),
    writtenCards: written.read,
    logins: () =>
      allLogins()
        .all()
        .map(({ login }) => login),
    sources: () => orm.select().from(sourceCounts).orderBy(sourceCounts.source).all(),
  };
}

type PartOfRow = typeof cards | typeof dossiers | typeof rankingFeatures;

function parsed<T>(found: unknown): T | undefined {
  return found === undefined ? undefined : (parseStored(found as string) as T);
}

function unpacked<T>(found: unknown): T | undefined {
  return found === undefined ? undefined : (unpackJson(found as Uint8Array) as T);
}

function readSearchableRows(store: Database): Uint32Array {
  const query = store.orm
    .select({ rowId: developers.rowId })
    .from(developers)
    .where(and(eq(developers.searchable, true), isVisible(store)))
    .orderBy(developers.rowId);
  const rowIds = Array.from(
    streamRows<{ row_id: number }>(store, query.toSQL()),
    (row) => row.row_id,
  );
  const last = rowIds.at(-1) ?? 0;
  if (last > 0xffffffff) throw new Error(`Row id ${last} does not fit the index's 32 bits.`);
  return Uint32Array.from(rowIds);
}

/**
 * Reads from the first row to the last and passes over those between that were not asked for: what one import brought
 * lies side by side.
 */
export function* streamRankingFeatures(
  store: Database,
  rowIds: Uint32Array = readSearchableRows(store),
): Generator<RankedRow> {
  const query = store.orm
    .select()
    .from(rankingFeatures)
    .where(between(rankingFeatures.rowId, rowIds[0] ?? 0, rowIds.at(-1) ?? 0))
    .orderBy(rankingFeatures.rowId);
  const repositoriesOf = createRepositoryReader(store);
  let at = 0;
  for (const row of streamRows<{ row_id: number; standing: string }>(store, query.toSQL())) {
    const { row_id: rowId, standing } = row;
    while (at < rowIds.length && (rowIds[at] as number) < rowId) at++;
    if (rowIds[at] !== rowId) continue;
    yield { rowId, standing: unpackRankingFeatures(standing, () => repositoriesOf(rowId)) };
  }
}

/** Reads from the facts what rows of older versions do not have among the ranking features. */
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
      // Everybody else is still found; the checks of the pool name the row.
      if (error instanceof DamagedRow) return [];
      throw error;
    }
  };
}

/**
 * Sorts row ids only, then reads one dossier at a time: sorting whole rows would load the pool into memory.
 * While the outer statement is open the connection keeps its snapshot, so a concurrent import changes nothing.
 */
export function* streamFacts(store: Database): Generator<Facts> {
  const query = store.orm
    .select({ rowId: developers.rowId })
    .from(developers)
    .where(isVisible(store))
    .orderBy(developers.login);
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

/** Reads row by row, which drizzle cannot. Each stream has its own statement, so that two never share one. */
export function* streamRows<Row>({ sqlite }: Database, query: { sql: string; params: unknown[] }) {
  const statement = sqlite.prepare<Row, (string | number)[]>(query.sql);
  try {
    yield* statement.iterate(...(query.params as (string | number)[]));
  } finally {
    statement.finalize();
  }
}
