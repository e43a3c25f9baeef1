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
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { ChangedLogin, ChangesData, NewStart } from "../../../contract/changes.ts";
import { fetchRow, fetchRows, type Work } from "../../../queries/work.ts";
import type { AskedChanges } from "../../changes.ts";
import type { PoolQueries, PoolRows } from "../pool-context.ts";
import { isVisible } from "../visible.ts";
import { type ChangesToken, formatToken, parseToken } from "./token.ts";

/** The newest import and erasure. What comes after them is left for the next answer, since other processes write meanwhile. */
type Newest = Pick<ChangesToken, "importId" | "importedMs" | "erasedId" | "erasedMs">;

export function* readChanges(
  rows: PoolRows,
  { since, limit, canSeeErased }: AskedChanges,
): Work<ChangesData> {
  const newest = yield* findNewest(rows);
  const token = since === undefined ? yield* createFirst(rows, newest) : parseToken(since);
  const startAnew = yield* findNewStart(rows, token, newest, canSeeErased);
  if (startAnew) return { changes: [], hasMore: false, startAnew };
  const removed = yield* listRemoved(rows, token, newest, limit);
  let left = limit - removed.changes.length;
  const erased = yield* listErased(rows, token, newest, left);
  left -= erased.changes.length;
  const present = yield* listPresent(rows, token, newest, left);
  const hasMore = removed.hasMore || erased.hasMore || present.hasMore;
  const next: ChangesToken = {
    ...{ ...newest, ...erased.readTo, ...removed.readTo, ...present.readTo },
    completeRow: hasMore ? token.completeRow : present.readTo.row,
  };
  const changes = [...removed.changes, ...erased.changes, ...present.changes];
  return { changes, next: formatToken(next), hasMore };
}

function* findNewest({ queries, tables: { imports, departures } }: PoolQueries): Work<Newest> {
  const { id, committedAt, revision } = imports;
  const imported = yield* fetchRow(
    queries
      .select({ id, committedAt })
      .from(imports)
      .where(isNotNull(revision))
      .orderBy(desc(id))
      .limit(1),
  );
  const erased = yield* fetchRow(
    queries
      .select({ id: departures.id, at: departures.at })
      .from(departures)
      .where(isNull(departures.importId))
      .orderBy(desc(departures.id))
      .limit(1),
  );
  return {
    ...{ importId: imported?.id ?? 0, importedMs: toMs(imported?.committedAt) },
    ...{ erasedId: erased?.id ?? 0, erasedMs: toMs(erased?.at) },
  };
}

const toMs = (at: string | null | undefined) => (at ? Date.parse(at) : 0);

/** A copy that has nothing need not know who left before it began. */
function* createFirst(rows: PoolQueries, newest: Newest): Work<ChangesToken> {
  const { departures } = rows.tables;
  const last = yield* fetchRow(
    rows.queries
      .select({ id: departures.id })
      .from(departures)
      .where(isOf(departures.importId, newest.importId))
      .orderBy(desc(departures.id))
      .limit(1),
  );
  return { ...newest, completeRow: 0, row: 0, departure: last?.id ?? 0 };
}

function* findNewStart(
  { queries, tables: { imports, departures } }: PoolQueries,
  token: ChangesToken,
  newest: Newest,
  canSeeErased: boolean,
): Work<NewStart | undefined> {
  const { importId, importedMs, erasedId, erasedMs } = token;
  const imported = yield* fetchRow(
    queries
      .select({ at: imports.committedAt })
      .from(imports)
      .where(and(eq(imports.id, importId), isNotNull(imports.revision))),
  );
  if (importId > 0 && (!imported || toMs(imported.at) !== importedMs)) return "restored";
  const { id, login, at } = departures;
  const isErasure = isNull(departures.importId);
  const erased = yield* fetchRow(
    queries
      .select({ at })
      .from(departures)
      .where(and(eq(id, erasedId), isErasure)),
  );
  if (erased ? toMs(erased.at) !== erasedMs : erasedId > newest.erasedId) return "restored";
  if (!canSeeErased && erasedId !== newest.erasedId) return "erased";
  const areUnread = or(
    and(isErasure, gt(id, erasedId)),
    and(isNotNull(departures.importId), gt(id, token.departure)),
  );
  const forgotten = yield* fetchRow(
    queries
      .select({ id })
      .from(departures)
      .where(and(eq(login, ""), areUnread))
      .limit(1),
  );
  return forgotten || (erasedId > 0 && !erased) ? "expired" : undefined;
}

/** Whether an import, or one before it, removed the developer. The sign makes the database search by id, which is the order. */
const isOf = (column: SQLWrapper, importId: number): SQL => sql`+${column} <= ${importId}`;

interface ReadDeparture {
  readonly id: number;
  readonly login: string;
  readonly at: string;
}

/** Lists developers whom imports removed. Who has another login now is renamed, and who is back is left out. */
function* listRemoved(rows: PoolRows, token: ChangesToken, { importId }: Newest, limit: number) {
  const { departures } = rows.tables;
  const areNext = and(gt(departures.id, token.departure), isOf(departures.importId, importId));
  const { read, hasMore } = yield* readDepartures(rows, areNext, limit);
  const bearers = yield* findBearers(rows, read);
  const changes = read.flatMap(({ login }, at): ChangedLogin[] => {
    const bearer = bearers[at];
    if (bearer === undefined) return [{ login, change: "removed" }];
    if (bearer.toLowerCase() === login.toLowerCase()) return [];
    return [{ login: bearer, change: "renamed", formerLogin: login }];
  });
  return { changes, hasMore, readTo: { departure: read.at(-1)?.id ?? token.departure } };
}

function* listErased(rows: PoolRows, token: ChangesToken, newest: Newest, limit: number) {
  const { id, importId } = rows.tables.departures;
  const areNext = and(gt(id, token.erasedId), lte(id, newest.erasedId), isNull(importId));
  const { read, hasMore } = yield* readDepartures(rows, areNext, limit);
  const bearers = yield* rows.findCurrentRows(read.map(({ login }) => login));
  const changes = read.flatMap(({ login }, at): ChangedLogin[] =>
    bearers[at] === undefined ? [{ login, change: "erased" }] : [],
  );
  const last = read.at(-1);
  const readTo = last
    ? { erasedId: last.id, erasedMs: toMs(last.at) }
    : { erasedId: token.erasedId, erasedMs: token.erasedMs };
  return { changes, hasMore, readTo };
}

function* readDepartures(
  { queries, tables: { departures } }: PoolQueries,
  areNext: SQL | undefined,
  limit: number,
): Work<{ readonly read: readonly ReadDeparture[]; readonly hasMore: boolean }> {
  const { id, login, at } = departures;
  const found = yield* fetchRows(
    queries
      .select({ id, login, at })
      .from(departures)
      .where(areNext)
      .orderBy(asc(id))
      .limit(limit + 1),
  );
  return { read: found.slice(0, limit), hasMore: found.length > limit };
}

/** @returns for each departed login the login under which its person is found now. */
function* findBearers(
  rows: PoolRows,
  departed: readonly ReadDeparture[],
): Work<readonly (string | undefined)[]> {
  const { rowId, login } = rows.tables.developers;
  const found = yield* rows.findRows(departed.map((one) => one.login));
  const rowIds = found.filter((id) => id !== undefined);
  const bearers = yield* fetchRows(
    rows.queries
      .select({ rowId, login })
      .from(rows.tables.developers)
      .where(inArray(rowId, [...new Set(rowIds)])),
  );
  const byRow = new Map(bearers.map((bearer) => [bearer.rowId, bearer.login]));
  return found.map((id) => (id === undefined ? undefined : byRow.get(id)));
}

/** The most rows that one answer looks at. After a new scoring, most are replaced rows that wait for their deletion. */
const rowsPerAnswer = 20_000;

function* listPresent(rows: PoolRows, token: ChangesToken, newest: Newest, limit: number) {
  const { queries, tables } = rows;
  const { developers } = tables;
  const { rowId, login, firstRowId } = developers;
  const staged = yield* findStaged(rows, newest);
  const areNext = and(gt(rowId, token.row), staged && lt(rowId, staged.rowId));
  const end = yield* fetchRow(
    queries
      .select({ rowId })
      .from(developers)
      .where(areNext)
      .orderBy(asc(rowId))
      .limit(1)
      .offset(rowsPerAnswer),
  );
  const found = yield* fetchRows(
    queries
      .select({ rowId, login, firstRowId })
      .from(developers)
      .where(and(areNext, end && lt(rowId, end.rowId), isVisible(rows)))
      .orderBy(asc(rowId))
      .limit(limit + 1),
  );
  const changes = found.slice(0, limit).map((row): ChangedLogin => {
    const isNew = (row.firstRowId ?? row.rowId) > token.completeRow;
    return { login: row.login, change: isNew ? "new" : "changed" };
  });
  const isCut = found.length > limit;
  const last = isCut || !end ? (found.slice(0, limit).at(-1)?.rowId ?? token.row) : end.rowId - 1;
  return { changes, hasMore: isCut || end !== undefined, readTo: { row: last } };
}

/** Finds the first row of an import that is not visible yet. */
function* findStaged({ queries, tables: { developers } }: PoolQueries, { importId }: Newest) {
  const { rowId } = developers;
  return yield* fetchRow(
    queries
      .select({ rowId })
      .from(developers)
      .where(gt(developers.importId, importId))
      .orderBy(asc(developers.importId), asc(rowId))
      .limit(1),
  );
}
