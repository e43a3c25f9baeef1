/** Writes which logins are gone. */
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
  ne,
  notExists,
  or,
  type SQL,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { execute, fetchRow, fetchRows, insertRows, type Work } from "../../../queries/work.ts";
import { erasedLoginDays } from "../../changes.ts";
import { type Identifier, toLoginKey } from "../../identifiers.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";

const rowsPerTransaction = 2000;
/** The most values in one statement, because SQLite limits them. */
const valuesPerStatement = 400;
const dayMilliseconds = 86_400_000;

/** Writes the logins that a staged import removes. They become visible together with the import. */
export async function writeDepartures(
  { read, change }: PoolContext,
  importId: number,
  at: string,
): Promise<void> {
  for (let last = 0; ; ) {
    const after = last;
    const some = await read((rows) => listRemoved(rows, importId, after));
    if (some.length === 0) return;
    last = some.at(-1)?.rowId ?? last;
    const gone = some.map(({ loginKey, login }) => ({ loginKey, login, importId, at }));
    await change(({ tables: { departures } }) => insertRows(departures, gone));
  }
}

function listRemoved(
  { queries, tables: { developers } }: PoolQueries,
  importId: number,
  after: number,
) {
  const { rowId, loginKey, login, supersededBy } = developers;
  const staged = alias(developers, "staged");
  const replacing = queries
    .select({ rowId: staged.rowId })
    .from(staged)
    .where(and(eq(staged.loginKey, loginKey), eq(staged.importId, importId)));
  return fetchRows(
    queries
      .select({ rowId, loginKey, login })
      .from(developers)
      .where(and(eq(supersededBy, importId), gt(rowId, after), notExists(replacing)))
      .orderBy(asc(rowId))
      .limit(rowsPerTransaction),
  );
}

export function* deleteDepartures(
  { queries, tables: { departures } }: PoolQueries,
  importId: number,
): Work<void> {
  yield* execute(queries.delete(departures).where(eq(departures.importId, importId)));
}

/** A login that callers may have seen. */
export interface GoneLogin {
  readonly loginKey: string;
  readonly login: string;
}

/** @returns the logins of these rows, without rows that were never visible. */
export function* listPublishedLogins(
  { queries, tables: { developers, imports } }: PoolQueries,
  rowIds: ReadonlySet<number>,
): Work<readonly GoneLogin[]> {
  const { rowId, loginKey, login, importId } = developers;
  const found: GoneLogin[] = [];
  for (const some of splitValues([...rowIds])) {
    const rows = queries
      .selectDistinct({ loginKey, login })
      .from(developers)
      .innerJoin(imports, and(eq(imports.id, importId), isNotNull(imports.revision)))
      .where(inArray(rowId, some));
    found.push(...(yield* fetchRows(rows)));
  }
  return found;
}

/** @returns the login of a removed developer, if it is still kept. */
export function* findDeparted(
  { queries, tables: { departures } }: PoolQueries,
  loginKeys: readonly string[],
): Work<readonly GoneLogin[]> {
  const { loginKey, login, importId } = departures;
  const found: GoneLogin[] = [];
  for (const some of splitValues(loginKeys)) {
    const rows = queries
      .selectDistinct({ loginKey, login })
      .from(departures)
      .where(and(inArray(loginKey, some), isNotNull(importId)));
    found.push(...(yield* fetchRows(rows)));
  }
  return found;
}

/** @returns every login that is kept of removed developers. */
export function listDeparted({ queries, tables: { departures } }: PoolQueries) {
  const { loginKey, login, importId } = departures;
  return fetchRows(
    queries
      .selectDistinct({ loginKey, login })
      .from(departures)
      .where(and(isNotNull(importId), ne(login, ""))),
  );
}

/**
 * Records that a person with these logins was erased, in place of what is recorded about their removal.
 * @param at the time of the erasure.
 */
export function* recordErased(
  rows: PoolQueries,
  gone: readonly GoneLogin[],
  at: string,
): Work<void> {
  const { departures } = rows.tables;
  const byKey = new Map(gone.map((one) => [one.loginKey, one]));
  for (const some of splitValues([...byKey.keys()])) {
    const areTheirs = and(inArray(departures.loginKey, some), isNotNull(departures.importId));
    yield* execute(rows.queries.delete(departures).where(areTheirs));
  }
  const erased = [...byKey.values()].map(({ loginKey, login }) => ({ loginKey, login, at }));
  yield* insertRows(departures, erased);
}

export function listLoginKeys(identifiers: Iterable<Identifier>): readonly string[] {
  const prefix = "login:";
  return [...identifiers]
    .filter((identifier) => identifier.startsWith(prefix))
    .map((identifier) => toLoginKey(identifier.slice(prefix.length)));
}

/**
 * Deletes logins that are kept no longer. The newest deleted row of each kind stays without its login, so that older copies are
 * told to start anew.
 */
export function* pruneDepartures(rows: PoolQueries, now: Date, keepDays?: number): Work<void> {
  const { queries, tables } = rows;
  const { departures } = tables;
  const { id } = departures;
  for (const areOld of listExpiring(rows, now, keepDays)) {
    const newest = yield* fetchRow(
      queries.select({ id }).from(departures).where(areOld).orderBy(desc(id)).limit(1),
    );
    if (!newest) continue;
    yield* execute(queries.delete(departures).where(and(areOld, ne(id, newest.id))));
    const isNewest = eq(id, newest.id);
    yield* execute(queries.update(departures).set({ login: "", loginKey: "" }).where(isNewest));
  }
}

export function* hasExpired(rows: PoolQueries, now: Date, keepDays?: number): Work<boolean> {
  const { departures } = rows.tables;
  const { id, login } = departures;
  const areExpired = and(or(...listExpiring(rows, now, keepDays)), ne(login, ""));
  const query = rows.queries.select({ id }).from(departures).where(areExpired).limit(1);
  return (yield* fetchRow(query)) !== undefined;
}

/** @returns a condition for each kind of departure: removals, if they are not kept, and erasures. */
function listExpiring(
  { tables: { departures } }: PoolQueries,
  now: Date,
  keepDays: number | undefined,
): readonly (SQL | undefined)[] {
  const { importId, at } = departures;
  const isBefore = (days: number) =>
    lt(at, new Date(now.getTime() - days * dayMilliseconds).toISOString());
  const areErased = and(isNull(importId), isBefore(erasedLoginDays));
  return keepDays === undefined
    ? [areErased]
    : [and(isNotNull(importId), isBefore(keepDays)), areErased];
}

function* splitValues<Value>(values: readonly Value[]): Generator<Value[]> {
  for (let at = 0; at < values.length; at += valuesPerStatement)
    yield values.slice(at, at + valuesPerStatement);
}
