import { and, eq, gt, inArray, sql } from "drizzle-orm";

import type { Card } from "../../../contract/people/developer.ts";
import type { Facts } from "../../../contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import type { PostgresDatabase, Statements } from "../../../postgres/database.ts";
import type { Pool, RankedRow, SearchableRows } from "../../pool.ts";
import {
  parseStored,
  unpackJson,
  unpackRankingFeatures,
  unpackText,
} from "../../rows/pack-developer.ts";
import {
  cards,
  developers,
  dossiers,
  poolState,
  rankingFeatures,
  sourceCounts,
} from "../tables.ts";
import { isVisible } from "../visible.ts";
import { findCurrentRows, findRows } from "./row-finder.ts";
import { createWrittenCards } from "./written-cards.ts";

type PoolReader = Pick<
  Pool,
  | "revision"
  | "size"
  | "findCards"
  | "findFacts"
  | "findAnalyses"
  | "findRankingFeatures"
  | "cards"
  | "findWrittenCards"
  | "findWrittenAnalyses"
  | "writtenCards"
  | "searchableRows"
  | "logins"
  | "sources"
>;

export function readPool(database: PostgresDatabase): PoolReader {
  const { orm } = database;
  const readWritten = createWrittenCards(orm);
  const readCards = (rowIds: number[]) => readCardRows(orm, rowIds);
  const readDossier = <T>(part: "facts" | "analysis", unpack: (stored: Uint8Array) => T) => {
    return async (rowIds: number[]) => {
      const rows = await orm
        .select({ rowId: dossiers.rowId, found: dossiers[part] })
        .from(dossiers)
        .where(inArray(dossiers.rowId, rowIds));
      return rows.map(({ rowId, found }) => [rowId, unpack(found)] as const);
    };
  };
  const readFacts = readDossier("facts", (stored) => unpackJson(stored) as Facts);
  const readAnalyses = readDossier("analysis", (stored) => unpackJson(stored) as ProfileAnalysis);
  const readTexts = readDossier("analysis", unpackText);
  return {
    findWrittenCards: async (logins) => readWritten(await findRows(orm, logins)),
    findWrittenAnalyses: async (logins) => readEach(await findRows(orm, logins), readTexts),
    writtenCards: readWritten,
    searchableRows: () => readSearchableRows(database),
    revision: async () => {
      const [state] = await orm.select({ revision: poolState.revision }).from(poolState);
      return state?.revision ?? 0;
    },
    size: async () => {
      const total = sql<number>`coalesce(sum(${sourceCounts.developers}), 0)::int`;
      const [counted] = await orm.select({ size: total }).from(sourceCounts);
      return counted?.size ?? 0;
    },
    findCards: async (logins) => readEach(await findRows(orm, logins), readCards),
    findFacts: async (logins) => readEach(await findCurrentRows(orm, logins), readFacts),
    findAnalyses: async (logins) => readEach(await findRows(orm, logins), readAnalyses),
    findRankingFeatures: async (login) => {
      const [rowId] = await findRows(orm, [login]);
      if (rowId === undefined) return undefined;
      const [row] = await orm
        .select()
        .from(rankingFeatures)
        .where(eq(rankingFeatures.rowId, rowId));
      return row && { rowId, standing: unpackRankingFeatures(row.standing, () => []) };
    },
    cards: async (rowIds) =>
      rowIds.length === 0 ? new Map() : new Map(await readCards([...rowIds])),
    logins: async () => {
      const rows = await orm
        .select({ login: developers.login })
        .from(developers)
        .where(isVisible(orm))
        .orderBy(developers.login);
      return rows.map(({ login }) => login);
    },
    sources: () => orm.select().from(sourceCounts).orderBy(sourceCounts.source),
  };
}

/** One result for each row id, in order. */
async function readEach<T>(
  rowIds: readonly (number | undefined)[],
  readAll: (known: number[]) => Promise<readonly (readonly [number, T])[]>,
): Promise<readonly (T | undefined)[]> {
  const known = rowIds.filter((rowId) => rowId !== undefined);
  const byRow = new Map(known.length === 0 ? [] : await readAll(known));
  return rowIds.map((rowId) => (rowId === undefined ? undefined : byRow.get(rowId)));
}

async function readCardRows(orm: Statements, rowIds: number[]) {
  const rows = await orm.select().from(cards).where(inArray(cards.rowId, rowIds));
  return rows.map(({ rowId, card }) => [rowId, parseStored(card) as Card] as const);
}

const rowsAtOnce = 1000;
const dossiersAtOnce = 200;

/** In one statement, and so of one moment. */
async function readSearchableRows({ orm }: PostgresDatabase): Promise<SearchableRows> {
  const found = await orm
    .select({
      revision: poolState.revision,
      rowIds: sql<number[]>`ARRAY(${orm
        .select({ rowId: developers.rowId })
        .from(developers)
        .where(and(eq(developers.searchable, true), isVisible(orm)))
        .orderBy(developers.rowId)})`,
    })
    .from(poolState);
  const [{ revision, rowIds } = { revision: 0, rowIds: [] }] = found;
  return { revision, rowIds: Uint32Array.from(rowIds) };
}

/** Of these rows, which never change, or of everybody: then of one moment only if nothing is imported meanwhile. */
export function streamRankingFeatures(
  database: PostgresDatabase,
  rowIds?: Uint32Array,
): AsyncGenerator<readonly RankedRow[]> {
  return rowIds ? readRankingFeatures(database, rowIds) : readAllRankingFeatures(database);
}

async function* readRankingFeatures({ orm }: PostgresDatabase, rowIds: Uint32Array) {
  for (let at = 0; at < rowIds.length; at += rowsAtOnce) {
    const some = Array.from(rowIds.subarray(at, at + rowsAtOnce));
    const batch = await orm
      .select()
      .from(rankingFeatures)
      .where(inArray(rankingFeatures.rowId, some))
      .orderBy(rankingFeatures.rowId);
    yield batch.map(toRankedRow);
  }
}

/** Holds no list of everybody, which would take more memory than the rest of a node that has no index. */
async function* readAllRankingFeatures({ orm }: PostgresDatabase) {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const batch: StandingRow[] = await orm
      .select({ rowId: rankingFeatures.rowId, standing: rankingFeatures.standing })
      .from(rankingFeatures)
      .innerJoin(developers, eq(developers.rowId, rankingFeatures.rowId))
      .where(and(gt(developers.rowId, last), eq(developers.searchable, true), isVisible(orm)))
      .orderBy(developers.rowId)
      .limit(rowsAtOnce);
    if (batch.length > 0) yield batch.map(toRankedRow);
    last = batch.at(-1)?.rowId;
  }
}

interface StandingRow {
  readonly rowId: number;
  readonly standing: string;
}

function toRankedRow({ rowId, standing }: StandingRow): RankedRow {
  return { rowId, standing: unpackRankingFeatures(standing, () => []) };
}

/** Of one moment. */
export async function* streamFacts(database: PostgresDatabase): AsyncGenerator<readonly Facts[]> {
  yield* readSnapshot(database, async function* (orm) {
    for (let last: string | undefined = ""; last !== undefined; ) {
      const batch: { login: string; facts: Uint8Array }[] = await orm
        .select({ login: developers.login, facts: dossiers.facts })
        .from(developers)
        .innerJoin(dossiers, eq(dossiers.rowId, developers.rowId))
        .where(and(gt(developers.login, last), isVisible(orm)))
        .orderBy(developers.login)
        .limit(dossiersAtOnce);
      if (batch.length > 0) yield batch.map(({ facts }) => unpackJson(facts) as Facts);
      last = batch.at(-1)?.login;
    }
  });
}

/** Reads on a connection of its own, in one transaction that sees the pool as it was when it began. */
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
