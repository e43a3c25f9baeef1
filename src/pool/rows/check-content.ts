/**
 * Checks the content of the pool's rows, in either database. Rows of developers are compared with their hashes. Other rows have
 * no hash, so only their form and references are checked.
 */
import { isDeepStrictEqual } from "node:util";
import { asc, count, eq, gt, max, sql } from "drizzle-orm";
import { tryParseJson } from "../../contract/foreign-json.ts";
import { fetchRow, fetchRows, type Work } from "../../queries/work.ts";
import { toLoginKey } from "../identifiers.ts";
import { countDamagedRepositories } from "./authorship/authorship-rows.ts";
import { hashPacked } from "./pack-developer.ts";
import type { PoolQueries, PoolRows } from "./pool-context.ts";
import { parseStored, unpackText } from "./unpack.ts";

type CheckedRows = PoolQueries & Pick<PoolRows, "toFindableValues">;

/** Returns the message about a query that found damage. Throws an error that means something else. */
type DescribeDamage = (error: unknown) => string;

/** @returns messages about damage, without names of people. */
export function* checkContent(
  rows: CheckedRows,
  describe: DescribeDamage,
): Work<readonly string[]> {
  const faults = [...(yield* checkDevelopers(rows, describe))];
  for (const { find, says } of wrongRows) {
    try {
      const wrong = yield* find(rows);
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

/** Returns a function that counts the rows selected by the end of a query, after FROM. */
function countOf(from: string) {
  return function* ({ queries }: PoolQueries): Work<number> {
    const wrong = sql.raw(`(SELECT 1 FROM ${from}) AS wrong`);
    return (yield* fetchRow(queries.select({ n: count() }).from(wrong)))?.n ?? 0;
  };
}

function* countDamagedDecisions({ queries, tables: { decisions } }: PoolQueries): Work<number> {
  const evidence = sql<string>`${decisions.evidence}`;
  const stored = yield* fetchRows(queries.select({ evidence }).from(decisions));
  return stored.filter((row) => tryParseJson(row.evidence) === undefined).length;
}

/** What an operator can do about damaged records of repositories. */
const readAgain = "`roster ingest git --anew` stores them again";

/** The numbers of visible developers by source that differ from the stored numbers. */
const miscounted = `(
    SELECT d.source, count(*) AS n FROM developer AS d
    WHERE EXISTS (SELECT 1 FROM import AS i WHERE i.id = d.import_id AND i.revision IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM import AS i WHERE i.id = d.superseded_by AND i.revision IS NOT NULL)
    GROUP BY d.source
  ) AS counted LEFT JOIN source_count ON source_count.source = counted.source
  WHERE counted.n IS DISTINCT FROM source_count.developers`;

/** How to count wrong rows, each with the message about such rows. */
const wrongRows = [
  ...["card", "standing", "dossier", "former_login", "findable", "identifier", "unlisted_row"].map(
    (table) => ({
      find: countOf(`${table} WHERE row_id NOT IN (SELECT row_id FROM developer)`),
      says: `rows of ${table} belong to no developer`,
    }),
  ),
  {
    find: countOf(
      "developer WHERE row_id NOT IN (SELECT row_id FROM identifier) AND row_id NOT IN (SELECT row_id FROM unlisted_row)",
    ),
    says: "rows about developers would not be found by an erasure",
  },
  ...["repository_block", "repository_author", "repository_package"].map((table) => ({
    find: countOf(`${table} WHERE repository_id NOT IN (SELECT id FROM repository)`),
    says: `rows of ${table} belong to no repository: ${readAgain}`,
  })),
  {
    find: countOf("repository_author WHERE login_key NOT IN (SELECT login_key FROM developer)"),
    says: `authors of repositories are not in the pool: ${readAgain}`,
  },
  {
    find: countDamagedRepositories,
    says: `repositories have damaged records of who changed which file: ${readAgain}`,
  },
  ...["import_id", "superseded_by", "confirmed_by"].map((column) => ({
    find: countOf(
      `developer WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM import)`,
    ),
    says: `developers refer to a missing import (${column})`,
  })),
  { find: countOf(miscounted), says: "sources have a wrong stored count of developers" },
  {
    find: countOf("suppression_salt WHERE length(salt) <> 32"),
    says: "salts of the suppression list are damaged",
  },
  {
    find: countOf(
      "suppressed WHERE length(hash) <> 32 OR receipt_id NOT IN (SELECT receipt_id FROM erasure)",
    ),
    says: "entries of the suppression list are damaged or belong to no receipt",
  },
  { find: countDamagedDecisions, says: "decisions are damaged" },
];
