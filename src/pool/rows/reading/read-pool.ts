import { gt, inArray, sql } from "drizzle-orm";
import type { Card } from "../../../contract/people/developer.ts";
import { fetchRow, fetchRows, type Work } from "../../../queries/work.ts";
import { toLoginKey } from "../../identifiers.ts";
import type { Pool } from "../../pool.ts";
import { readFacts } from "../identifier-index.ts";
import { findModel } from "../judged-by.ts";
import type { PoolContext, PoolQueries, RowIds } from "../pool-context.ts";
import { parseStored } from "../unpack.ts";
import { selectVisible } from "../visible.ts";
import { findStoredDeveloper } from "./stored-developer.ts";

/** The pool's reading methods for both databases, except streams and the most used methods. */
export function readPool({ read }: PoolContext) {
  return {
    size: () => read(countDevelopers),
    findCards: (logins) =>
      read(function* (rows) {
        const rowIds = yield* rows.findRows(logins);
        return putInOrder(rowIds, yield* readCards(rows, rowIds));
      }),
    findFacts: (logins) =>
      read(function* (rows) {
        const rowIds = yield* rows.findCurrentRows(logins);
        const known = rowIds.filter((rowId) => rowId !== undefined);
        const found = yield* readFacts(rows, known);
        return putInOrder(rowIds, new Map(found.map(({ rowId, facts }) => [rowId, facts])));
      }),
    findStoredDeveloper: (login) => read((rows) => findStoredDeveloper(rows, login)),
    cards: (rowIds) => read((rows) => readCards(rows, rowIds)),
    logins: () => read(listLogins),
    loginsAfter: (login, limit) => read((rows) => listLoginsAfter(rows, login, limit)),
    model: () => read(findModel),
  } satisfies Partial<Pool>;
}

function putInOrder<T>(rowIds: RowIds, found: ReadonlyMap<number, T>): readonly (T | undefined)[] {
  return rowIds.map((rowId) => (rowId === undefined ? undefined : found.get(rowId)));
}

function* countDevelopers({ queries, tables: { sourceCounts } }: PoolQueries): Work<number> {
  const size = sql<number>`coalesce(sum(${sourceCounts.developers}), 0)`.mapWith(Number);
  const counted = yield* fetchRow(queries.select({ size }).from(sourceCounts));
  return counted?.size ?? 0;
}

function* readCards(
  { queries, tables: { cards } }: PoolQueries,
  rowIds: RowIds,
): Work<ReadonlyMap<number, Card>> {
  const known = rowIds.filter((rowId) => rowId !== undefined);
  if (known.length === 0) return new Map();
  const rows = yield* fetchRows(queries.select().from(cards).where(inArray(cards.rowId, known)));
  return new Map(rows.map(({ rowId, card }) => [rowId, parseStored(card) as Card]));
}

function* listLogins(rows: PoolQueries): Work<readonly string[]> {
  const { login } = rows.tables.developers;
  const found = yield* fetchRows(selectVisible(rows, { login }).orderBy(login));
  return found.map((row) => row.login);
}

function* listLoginsAfter(
  rows: PoolQueries,
  after: string,
  limit: number,
): Work<readonly string[]> {
  const { login, loginKey } = rows.tables.developers;
  const areNext = selectVisible(rows, { login }, gt(loginKey, toLoginKey(after)));
  const found = yield* fetchRows(areNext.orderBy(loginKey).limit(limit));
  return found.map((row) => row.login);
}
