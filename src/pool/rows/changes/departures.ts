/** Writes which logins are gone. */
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, type SQL } from "drizzle-orm";
import {
  execute,
  fetchRow,
  fetchRows,
  insertRows,
  splitInBatches,
  type Work,
} from "../../../queries/work.ts";
import { erasedLoginDays } from "../../changes.ts";
import { type Identifier, toLoginKey } from "../../identifiers.ts";
import { isRemovedBy } from "../importing/remove-rows.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";

const rowsPerTransaction = 2000;
const keysPerStatement = 400;
const dayMilliseconds = 86_400_000;

/** Writes the logins that a staged import removes. They become visible together with the import. */
export async function writeDepartures(
  { read, change }: PoolContext,
  importId: number,
  at: string,
): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const after: number = last;
    const some = await read((rows) => {
      const { rowId, loginKey, login } = rows.tables.developers;
      const areNext = and(isRemovedBy(rows, importId), gt(rowId, after));
      const removed = rows.queries.select({ rowId, loginKey, login }).from(rows.tables.developers);
      return fetchRows(removed.where(areNext).orderBy(asc(rowId)).limit(rowsPerTransaction));
    });
    const gone = some.map(({ loginKey, login }) => ({ loginKey, login, importId, at }));
    if (gone.length > 0) await change(({ tables }) => insertRows(tables.departures, gone));
    last = some.at(-1)?.rowId;
  }
}

/** A login that callers may have seen. */
export interface GoneLogin {
  readonly loginKey: string;
  readonly login: string;
}

/** @returns the logins of removed developers that are still kept. @param loginKeys default: all. */
export function listDeparted(
  { queries, tables: { departures } }: PoolQueries,
  loginKeys?: readonly string[],
): Work<GoneLogin[]> {
  const { loginKey, login, importId } = departures;
  const areSought = loginKeys && inArray(loginKey, [...loginKeys]);
  const areKept = and(isNotNull(importId), ne(login, ""), areSought);
  return fetchRows(queries.selectDistinct({ loginKey, login }).from(departures).where(areKept));
}

/**
 * Records that a person with these logins was erased, in place of what is recorded about their removal.
 * @param at the time of the erasure.
 */
export function* recordErased(
  { queries, tables: { departures } }: PoolQueries,
  gone: readonly GoneLogin[],
  at: string,
): Work<void> {
  const erased = new Map(gone.map(({ loginKey, login }) => [loginKey, { loginKey, login, at }]));
  for (const some of splitInBatches([...erased.keys()], keysPerStatement)) {
    const areTheirs = and(inArray(departures.loginKey, some), isNotNull(departures.importId));
    yield* execute(queries.delete(departures).where(areTheirs));
  }
  yield* insertRows(departures, [...erased.values()]);
}

export function listLoginKeys(identifiers: Iterable<Identifier>): readonly string[] {
  const prefix = "login:";
  const logins = [...identifiers].filter((identifier) => identifier.startsWith(prefix));
  return logins.map((identifier) => toLoginKey(identifier.slice(prefix.length)));
}

/**
 * Deletes logins that are kept no longer. The newest deleted row of each kind stays without its login, so that older copies are
 * told to start anew.
 */
export function* pruneDepartures(rows: PoolQueries, now: Date, keepDays?: number): Work<void> {
  const { departures } = rows.tables;
  for (const { id, areOld } of yield* listExpired(rows, now, keepDays)) {
    yield* execute(rows.queries.delete(departures).where(and(areOld, lt(departures.id, id))));
    const noLogin = { login: "", loginKey: "" };
    yield* execute(rows.queries.update(departures).set(noLogin).where(eq(departures.id, id)));
  }
}

/** @returns the newest login that expired and a condition for all, of erasures and of removals. @param keepDays of removals. */
export function* listExpired(
  { queries, tables: { departures } }: PoolQueries,
  now: Date,
  keepDays = Number.POSITIVE_INFINITY,
) {
  const { id, importId, at, login } = departures;
  const expired: { readonly id: number; readonly areOld: SQL | undefined }[] = [];
  for (const [isKind, days] of [
    [isNull(importId), erasedLoginDays],
    [isNotNull(importId), keepDays],
  ] as const) {
    if (days === Number.POSITIVE_INFINITY) continue;
    const before = new Date(now.getTime() - days * dayMilliseconds).toISOString();
    const areOld = and(isKind, lt(at, before));
    const areKept = queries
      .select({ id })
      .from(departures)
      .where(and(areOld, ne(login, "")));
    const newest = yield* fetchRow(areKept.orderBy(desc(id)).limit(1));
    if (newest) expired.push({ ...newest, areOld });
  }
  return expired;
}
