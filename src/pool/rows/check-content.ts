/**
 * Checks the content of the pool's rows, in either database. Rows of developers are compared with their hashes. Other rows have
 * no hash, so only their form and references are checked.
 */
import { isDeepStrictEqual } from "node:util";
import {
  and,
  asc,
  count,
  eq,
  getTableName,
  gt,
  max,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { tryParseJson } from "../../contract/foreign-json.ts";
import { fetchRow, fetchRows, type Work } from "../../queries/work.ts";
import { toLoginKey } from "../identifiers.ts";
import { countDamagedRepositories } from "./authorship/authorship-rows.ts";
import { hashPacked } from "./pack-developer.ts";
import type { PoolQueries, PoolRows } from "./pool-context.ts";
import { parseStored, unpackText } from "./unpack.ts";
import { isVisible } from "./visible.ts";

type CheckedRows = PoolQueries & Pick<PoolRows, "toFindableValues">;

/** Returns the message about a query that found damage. Throws an error that means something else. */
type DescribeDamage = (error: unknown) => string;

/** @returns messages about damage, without names of people. */
export function* checkContent(
  rows: CheckedRows,
  describe: DescribeDamage,
): Work<readonly string[]> {
  const faults = [...(yield* checkDevelopers(rows, describe))];
  for (const { find, says } of listWrongRows(rows)) {
    try {
      const wrong = yield* find;
      if (wrong > 0) faults.push(`${wrong} ${says}`);
    } catch (error) {
      faults.push(describe(error));
    }
  }
  return faults;
}

/** The number of rows in one step, which takes about 10 ms. */
const rowsPerStep = 100;

function* checkDevelopers(rows: CheckedRows, describe: DescribeDamage): Work<readonly string[]> {
  let [seen, damaged, wrongKeys, last, end] = [0, 0, 0, 0, 0];
  let unreadable: string | undefined;
  do {
    try {
      if (last === 0) end = yield* findLast(rows);
      const batch = yield* readDevelopers(rows, last);
      seen += batch.length;
      damaged += batch.filter((row) => !isWhole(row)).length;
      wrongKeys += batch.filter(({ findable }) => findable && !hasOwnKeys(rows, findable)).length;
      last = batch.at(-1)?.rowId ?? end;
    } catch (error) {
      unreadable = describe(error);
      last += rowsPerStep;
    }
  } while (last < end);
  return [
    ...(damaged > 0 ? [`${damaged} of ${seen} rows about developers are damaged`] : []),
    ...(wrongKeys > 0 ? [`${wrongKeys} search keys of developers are damaged`] : []),
    ...(unreadable === undefined ? [] : [`rows about developers cannot be read: ${unreadable}`]),
  ];
}

function* findLast({ queries, tables: { developers } }: PoolQueries): Work<number> {
  const last = yield* fetchRow(queries.select({ rowId: max(developers.rowId) }).from(developers));
  return last?.rowId ?? 0;
}

type CheckedDeveloper = ReturnType<typeof readDevelopers> extends Work<(infer Row)[]> ? Row : never;

function readDevelopers({ queries, tables }: PoolQueries, after: number) {
  const { developers, cards, rankingFeatures, dossiers, findables } = tables;
  const { rowId, login, loginKey, factsHash, wholeHash } = developers;
  const { facts, analysis } = dossiers;
  const stored = { card: cards.card, standing: rankingFeatures.standing, facts, analysis };
  return fetchRows(
    queries
      .select({ rowId, login, loginKey, factsHash, wholeHash, ...stored, findable: findables })
      .from(developers)
      .leftJoin(cards, eq(cards.rowId, rowId))
      .leftJoin(rankingFeatures, eq(rankingFeatures.rowId, rowId))
      .leftJoin(dossiers, eq(dossiers.rowId, rowId))
      .leftJoin(findables, eq(findables.rowId, rowId))
      .where(gt(rowId, after))
      .orderBy(asc(rowId))
      .limit(rowsPerStep),
  );
}

/** Whether the row and the joined rows match their hashes. */
function isWhole(row: CheckedDeveloper): boolean {
  const { login, loginKey, card, standing, facts, analysis, factsHash, wholeHash } = row;
  if (card === null || standing === null || facts === null || analysis === null) return false;
  if (loginKey !== toLoginKey(login)) return false;
  try {
    const texts = { facts: unpackText(facts), analysis: unpackText(analysis), card, standing };
    return isDeepStrictEqual(hashPacked(texts), { factsHash, wholeHash });
  } catch {
    return false;
  }
}

/**
 * Whether the columns computed from `keys` are right. Columns that are not computed yet are also right. The keys themselves are
 * checked only for their form, because an earlier version may have derived other keys from the same facts.
 */
function hasOwnKeys(
  { toFindableValues }: CheckedRows,
  { rowId: _, ...stored }: NonNullable<CheckedDeveloper["findable"]>,
): boolean {
  try {
    parseStored(stored.keys);
    const isComputed = Object.values(stored).every((value) => value !== null);
    return !isComputed || isDeepStrictEqual(stored, toFindableValues(stored.keys));
  } catch {
    return false;
  }
}

/** What an operator can do about damaged records of repositories. */
const readAgain = "`roster ingest git --anew` stores them again";

/** Lists how to count wrong rows, each with the message about such rows. */
function listWrongRows(rows: PoolQueries) {
  return [
    ...listWrongDevelopers(rows),
    ...listWrongRepositories(rows),
    { find: countMiscounted(rows), says: "sources have a wrong stored count of developers" },
    ...listWrongErasures(rows),
    { find: countDamagedDecisions(rows), says: "decisions are damaged" },
  ];
}

function* countRows(
  { queries }: PoolQueries,
  table: SQLiteTable,
  isWrong: SQL | undefined,
): Work<number> {
  return (yield* fetchRow(queries.select({ n: count() }).from(table).where(isWrong)))?.n ?? 0;
}

function listWrongDevelopers(rows: PoolQueries) {
  const { queries, tables } = rows;
  const { cards, rankingFeatures, dossiers, formerLogins, findables } = tables;
  const { developers, identifiers, unlistedRows, imports } = tables;
  const rowIdsOf = (table: typeof developers | typeof identifiers | typeof unlistedRows) =>
    queries.select({ rowId: table.rowId }).from(table);
  const parts = [cards, rankingFeatures, dossiers, formerLogins, findables] as const;
  const isUnlisted = and(
    notInArray(developers.rowId, rowIdsOf(identifiers)),
    notInArray(developers.rowId, rowIdsOf(unlistedRows)),
  );
  const importIds = queries.select({ id: imports.id }).from(imports);
  const { importId, supersededBy, confirmedBy } = developers;
  return [
    ...[...parts, identifiers, unlistedRows].map((part) => ({
      find: countRows(rows, part, notInArray(part.rowId, rowIdsOf(developers))),
      says: `rows of ${getTableName(part)} belong to no developer`,
    })),
    {
      find: countRows(rows, developers, isUnlisted),
      says: "rows about developers would not be found by an erasure",
    },
    ...[importId, supersededBy, confirmedBy].map((column) => ({
      find: countRows(rows, developers, notInArray(column, importIds)),
      says: `developers refer to a missing import (${column.name})`,
    })),
  ];
}

function listWrongRepositories(rows: PoolQueries) {
  const { queries, tables } = rows;
  const { developers, knownRepositories, repositoryAuthors } = tables;
  const ids = queries.select({ id: knownRepositories.id }).from(knownRepositories);
  const loginKeys = queries.select({ loginKey: developers.loginKey }).from(developers);
  return [
    ...[tables.repositoryBlocks, repositoryAuthors, tables.repositoryPackages].map((part) => ({
      find: countRows(rows, part, notInArray(part.repositoryId, ids)),
      says: `rows of ${getTableName(part)} belong to no repository: ${readAgain}`,
    })),
    {
      find: countRows(rows, repositoryAuthors, notInArray(repositoryAuthors.loginKey, loginKeys)),
      says: `authors of repositories are not in the pool: ${readAgain}`,
    },
    {
      find: countDamagedRepositories(rows),
      says: `repositories have damaged records of who changed which file: ${readAgain}`,
    },
  ];
}

function listWrongErasures(rows: PoolQueries) {
  const { suppressed, suppressionSalts, erasures } = rows.tables;
  const { receiptId, hash } = suppressed;
  const receiptIds = rows.queries.select({ receiptId: erasures.receiptId }).from(erasures);
  const isEntryWrong = or(sql`length(${hash}) <> 32`, notInArray(receiptId, receiptIds));
  return [
    {
      find: countRows(rows, suppressionSalts, sql`length(${suppressionSalts.salt}) <> 32`),
      says: "salts of the suppression list are damaged",
    },
    {
      find: countRows(rows, suppressed, isEntryWrong),
      says: "entries of the suppression list are damaged or belong to no receipt",
    },
  ];
}

/** Counts the sources whose stored number of visible developers is wrong, with one query, because others may import meanwhile. */
function* countMiscounted(rows: PoolQueries): Work<number> {
  const { queries, tables } = rows;
  const { developers, sourceCounts } = tables;
  const { source } = developers;
  const all = queries.select({ source, people: count().as("people") }).from(developers);
  const counted = all.where(isVisible(rows)).groupBy(source).as("counted");
  const wrong = yield* fetchRow(
    queries
      .select({ n: count() })
      .from(counted)
      .leftJoin(sourceCounts, eq(sourceCounts.source, counted.source))
      .where(sql`${counted.people} IS DISTINCT FROM ${sourceCounts.developers}`),
  );
  return wrong?.n ?? 0;
}

function* countDamagedDecisions({ queries, tables: { decisions } }: PoolQueries): Work<number> {
  const evidence = sql<string>`${decisions.evidence}`;
  const stored = yield* fetchRows(queries.select({ evidence }).from(decisions));
  return stored.filter((row) => tryParseJson(row.evidence) === undefined).length;
}
