/** Reads what copies elsewhere must do to follow the pool. */
import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { ChangedLogin, ChangesData, NewStart } from "../../../contract/changes.ts";
import { fetchRow, fetchRows, type Work } from "../../../queries/work.ts";
import type { AskedChanges, PoolChanges } from "../../changes.ts";
import type { PoolContext, PoolQueries, PoolRows } from "../pool-context.ts";
import { selectVisible } from "../visible.ts";
import { listExpired, pruneDepartures } from "./departures.ts";
import { type ChangesToken, formatToken, parseToken } from "./token.ts";

/** @param cleanUp removes the old bytes of deleted logins. */
export function createPoolChanges(
  { read, change }: PoolContext,
  now: () => Date,
  cleanUp: () => unknown,
): PoolChanges {
  return {
    list: (asked) => read((rows) => readChanges(rows, asked)),
    async prune(keepDays) {
      // Usually nothing has expired, and then nothing is written.
      if ((await read((rows) => listExpired(rows, now(), keepDays))).length === 0) return;
      await change((rows) => pruneDepartures(rows, now(), keepDays));
      await cleanUp();
    },
  };
}

/** The newest import and erasure. What comes after them is left for the next answer, since other processes write meanwhile. */
type Newest = Pick<ChangesToken, "importId" | "importedMs" | "erasedId" | "erasedMs">;

function* readChanges(
  rows: PoolRows,
  { since, limit, canSeeErased }: AskedChanges,
): Work<ChangesData> {
  const newest = yield* findNewest(rows);
  const token = since === undefined ? yield* createFirst(rows, newest) : parseToken(since);
  const startAnew = yield* findNewStart(rows, token, newest, canSeeErased);
  if (startAnew) return { changes: [], hasMore: false, startAnew };
  const { id, importId } = rows.tables.departures;
  const areRemoved = and(gt(id, token.departure), isRemoved(rows, newest));
  const removed = yield* listGone(rows, areRemoved, limit);
  let left = limit - removed.changes.length;
  const areErased = and(gt(id, token.erasedId), lte(id, newest.erasedId), isNull(importId));
  const erased = yield* listGone(rows, areErased, left);
  left -= erased.changes.length;
  const present = yield* listPresent(rows, token, newest, left);
  const hasMore = removed.hasMore || erased.hasMore || present.hasMore;
  const next: ChangesToken = {
    ...newest,
    erasedId: erased.last?.id ?? token.erasedId,
    erasedMs: erased.last ? toMs(erased.last.at) : token.erasedMs,
    departure: removed.last?.id ?? token.departure,
    row: present.row,
    completeRow: hasMore ? token.completeRow : present.row,
  };
  const changes = [...removed.changes, ...erased.changes, ...present.changes];
  return { changes, next: formatToken(next), hasMore };
}

function* findNewest({ queries, tables: { imports, departures } }: PoolQueries): Work<Newest> {
  const published = queries.select().from(imports).where(isNotNull(imports.revision));
  const imported = yield* fetchRow(published.orderBy(desc(imports.id)).limit(1));
  const erasures = queries.select().from(departures).where(isNull(departures.importId));
  const erased = yield* fetchRow(erasures.orderBy(desc(departures.id)).limit(1));
  return {
    ...{ importId: imported?.id ?? 0, importedMs: toMs(imported?.committedAt) },
    ...{ erasedId: erased?.id ?? 0, erasedMs: toMs(erased?.at) },
  };
}

const toMs = (at: string | null | undefined) => (at ? Date.parse(at) : 0);

/** A copy that has nothing need not know who left before it began. */
function* createFirst(rows: PoolQueries, newest: Newest): Work<ChangesToken> {
  const { departures } = rows.tables;
  const removed = rows.queries.select().from(departures).where(isRemoved(rows, newest));
  const last = yield* fetchRow(removed.orderBy(desc(departures.id)).limit(1));
  return { ...newest, completeRow: 0, row: 0, departure: last?.id ?? 0 };
}

function* findNewStart(
  { queries, tables: { imports, departures } }: PoolQueries,
  { importId, importedMs, erasedId, erasedMs, departure }: ChangesToken,
  newest: Newest,
  canSeeErased: boolean,
): Work<NewStart | undefined> {
  const isImport = and(eq(imports.id, importId), isNotNull(imports.revision));
  const imported = yield* fetchRow(queries.select().from(imports).where(isImport));
  if (importId > 0 && (!imported || toMs(imported.committedAt) !== importedMs)) return "restored";
  const { id, login } = departures;
  const isErasure = isNull(departures.importId);
  const isRead = and(eq(id, erasedId), isErasure);
  const erased = yield* fetchRow(queries.select().from(departures).where(isRead));
  if (erased ? toMs(erased.at) !== erasedMs : erasedId > newest.erasedId) return "restored";
  if (!canSeeErased && erasedId !== newest.erasedId) return "erased";
  const areRemovals = and(isNotNull(departures.importId), gt(id, departure));
  const areUnread = or(and(isErasure, gt(id, erasedId)), areRemovals);
  const forgotten = queries
    .select()
    .from(departures)
    .where(and(eq(login, ""), areUnread));
  const isForgotten = (yield* fetchRow(forgotten.limit(1))) !== undefined;
  return isForgotten || (erasedId > 0 && !erased) ? "expired" : undefined;
}

/** Whether a visible import removed the developer. The sign makes the database search by id, which is the order. */
function isRemoved({ tables: { departures } }: PoolQueries, newest: Newest): SQL {
  return sql`+${departures.importId} <= ${newest.importId}`;
}

/** Lists who is gone. Who has another login now is renamed, and who is back is left out. */
function* listGone(rows: PoolRows, areNext: SQL | undefined, limit: number) {
  const { departures, developers } = rows.tables;
  const unread = rows.queries.select().from(departures).where(areNext);
  const found = yield* fetchRows(unread.orderBy(asc(departures.id)).limit(limit + 1));
  const read = found.slice(0, limit);
  const rowIds = yield* rows.findRows(read.map(({ login }) => login));
  const { rowId, login } = developers;
  const areTheirs = inArray(
    rowId,
    rowIds.filter((one) => one !== undefined),
  );
  const bearers = yield* fetchRows(
    rows.queries.select({ rowId, login }).from(developers).where(areTheirs),
  );
  const loginOf = new Map(bearers.map((bearer) => [bearer.rowId, bearer.login]));
  const changes = read.flatMap(({ login, importId }, at): ChangedLogin[] => {
    const bearer = loginOf.get(rowIds[at] ?? 0);
    if (bearer?.toLowerCase() === login.toLowerCase()) return [];
    if (importId === null) return [{ login, change: "erased" }];
    if (bearer === undefined) return [{ login, change: "removed" }];
    return [{ login: bearer, change: "renamed", formerLogin: login }];
  });
  return { changes, hasMore: found.length > limit, last: read.at(-1) };
}

/** The most rows that one answer looks at. After a new scoring, most are replaced rows that wait for their deletion. */
const rowsPerAnswer = 20_000;

function* listPresent(rows: PoolRows, token: ChangesToken, { importId }: Newest, limit: number) {
  const { developers } = rows.tables;
  const { rowId, login, firstRowId } = developers;
  const ids = rows.queries.select({ rowId }).from(developers);
  // The first row of an import that is not visible yet.
  const areStaged = ids
    .where(gt(developers.importId, importId))
    .orderBy(asc(developers.importId), asc(rowId));
  const staged = yield* fetchRow(areStaged.limit(1));
  const areNext = and(gt(rowId, token.row), staged && lt(rowId, staged.rowId));
  const next = rows.queries.select({ rowId }).from(developers).where(areNext);
  const end = yield* fetchRow(next.orderBy(asc(rowId)).limit(1).offset(rowsPerAnswer));
  const fields = { rowId, login, firstRowId };
  const shown = selectVisible(rows, fields, areNext, end && lt(rowId, end.rowId));
  const found = yield* fetchRows(shown.orderBy(asc(rowId)).limit(limit + 1));
  const read = found.slice(0, limit);
  const changes = read.map((row): ChangedLogin => {
    const isNew = (row.firstRowId ?? row.rowId) > token.completeRow;
    return { login: row.login, change: isNew ? "new" : "changed" };
  });
  const isCut = found.length > limit;
  const last = isCut || !end ? (read.at(-1)?.rowId ?? token.row) : end.rowId - 1;
  return { changes, hasMore: isCut || end !== undefined, row: last };
}
