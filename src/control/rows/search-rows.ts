import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import {
  type RankedLogin,
  type SavedRecords,
  type SavedSearch,
  type SearchRun,
  savedLimits,
} from "../saved-records.ts";
import type { ControlRow, ControlTables } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

type Searches = Pick<
  SavedRecords,
  "searches" | "findSearch" | "addSearch" | "noteRun" | "markSeen" | "removeSearch"
>;

/** @package */
export function createSearchRows({ tables, read, transact }: RowsContext): Searches {
  const { searches } = tables;
  const isSearch = (accountId: string, id: string) =>
    and(eq(searches.accountId, accountId), eq(searches.id, id));
  /** @returns whether the account has the search; then `work` was done with it. */
  const changeOne = (
    accountId: string,
    id: string,
    work: (queries: Queries) => Work<void>,
    by?: NewAuditEntry,
  ) =>
    transact(function* (queries, log) {
      const own = queries.select({ id: searches.id }).from(searches).where(isSearch(accountId, id));
      if (!(yield* fetchRow(own))) return false;
      yield* work(queries);
      if (by) yield* log(by);
      return true;
    });
  return {
    searches: (accountId) =>
      read(function* (queries) {
        const isOwn = eq(searches.accountId, accountId);
        return (yield* fetchRows(selectChanges(queries, tables).where(isOwn))).map(toSearch);
      }),
    findSearch: (accountId, id) =>
      read(function* (queries) {
        const isMeant = isSearch(accountId, id);
        const row = yield* fetchRow(selectChanges(queries, tables).where(isMeant));
        return row && { ...toSearch(row), found: yield* listFound(queries, tables, id) };
      }),
    addSearch: (accountId, { id, name, query }, first, by) =>
      transact(function* (queries, log) {
        const isOwn = eq(searches.accountId, accountId);
        const names = queries.select({ nameKey: searches.nameKey }).from(searches).where(isOwn);
        const known = yield* fetchRows(names);
        const nameKey = name.toLowerCase();
        if (known.some((one) => one.nameKey === nameKey)) return "name taken";
        if (known.length >= savedLimits.searchesMax) return "too many";
        const times = { seenMs: first.at.getTime(), ranMs: first.at.getTime() };
        const row = { id, accountId, name, nameKey, query, total: first.total, ...times };
        yield* execute(queries.insert(searches).values(row));
        yield* putRun(queries, tables, id, first);
        yield* markRunSeen(queries, tables, id);
        yield* log(by);
        return undefined;
      }),
    noteRun: (accountId, id, latest) =>
      changeOne(accountId, id, (queries) => putRun(queries, tables, id, latest)),
    markSeen: (accountId, id) =>
      changeOne(accountId, id, (queries) => markRunSeen(queries, tables, id)),
    removeSearch: (accountId, id, by) => {
      const remove = (queries: Queries) =>
        execute(queries.delete(searches).where(eq(searches.id, id)));
      return changeOne(accountId, id, remove, by);
    },
  };
}

function selectChanges(queries: Queries, { searches, foundPeople }: ControlTables) {
  const { seenScore, score } = foundPeople;
  const countIf = (condition: SQL) =>
    sql<number>`count(*) FILTER (WHERE ${condition})`.mapWith(Number);
  return queries
    .select({
      search: searches,
      new: countIf(sql`${seenScore} IS NULL AND ${score} IS NOT NULL`),
      gone: countIf(sql`${seenScore} IS NOT NULL AND ${score} IS NULL`),
      changed: countIf(sql`${seenScore} <> ${score}`),
    })
    .from(searches)
    .leftJoin(foundPeople, eq(foundPeople.searchId, searches.id))
    .groupBy(searches.id)
    .orderBy(asc(searches.nameKey));
}

function* listFound(
  queries: Queries,
  { foundPeople }: ControlTables,
  id: string,
): Work<readonly RankedLogin[]> {
  const { searchId, loginKey, score } = foundPeople;
  const bestFirst = [sql`${score} DESC NULLS LAST`, asc(loginKey)];
  const rows = yield* fetchRows(
    queries
      .select()
      .from(foundPeople)
      .where(eq(searchId, id))
      .orderBy(...bestFirst),
  );
  return rows.map((one) => ({
    login: one.login,
    seenScore: one.seenScore ?? undefined,
    score: one.score ?? undefined,
  }));
}

/** Call inside a transaction. */
function* putRun(
  queries: Queries,
  { searches, foundPeople }: ControlTables,
  id: string,
  { people, at, total }: SearchRun,
): Work<void> {
  const { searchId, loginKey, seenScore, score } = foundPeople;
  const isFoundHere = eq(searchId, id);
  // A person who was seen and is not among those found has no score now.
  yield* execute(queries.update(foundPeople).set({ score: null }).where(isFoundHere));
  const found = new Map(
    people.slice(0, savedLimits.foundMax).map((one) => [one.login.toLowerCase(), one]),
  );
  const rows = [...found].map(([key, one]) => ({
    ...{ searchId: id, loginKey: key },
    ...{ login: one.login, score: one.score },
  }));
  if (rows.length > 0) {
    const set = { login: sql`excluded.login`, score: sql`excluded.score` };
    const conflict = { target: [searchId, loginKey], set };
    yield* execute(queries.insert(foundPeople).values(rows).onConflictDoUpdate(conflict));
  }
  const isForgotten = and(isFoundHere, isNull(seenScore), isNull(score));
  yield* execute(queries.delete(foundPeople).where(isForgotten));
  const run = { total, ranMs: at.getTime() };
  yield* execute(queries.update(searches).set(run).where(eq(searches.id, id)));
}

/** Call inside a transaction. */
function* markRunSeen(
  queries: Queries,
  { searches, foundPeople }: ControlTables,
  id: string,
): Work<void> {
  const { searchId, score } = foundPeople;
  const isFoundHere = eq(searchId, id);
  yield* execute(queries.delete(foundPeople).where(and(isFoundHere, isNull(score))));
  const seen = { seenScore: sql`${score}` };
  yield* execute(queries.update(foundPeople).set(seen).where(isFoundHere));
  const seenNow = { seenMs: sql`${searches.ranMs}` };
  yield* execute(queries.update(searches).set(seenNow).where(eq(searches.id, id)));
}

function toSearch({
  search: { id, name, query, total, seenMs, ranMs },
  ...changes
}: {
  readonly search: ControlRow<"searches">;
} & Pick<SavedSearch, "new" | "gone" | "changed">): SavedSearch {
  const seenAt = new Date(seenMs).toISOString();
  const ranAt = new Date(ranMs).toISOString();
  return { id, name, query, total, seenAt, ranAt, ...changes };
}
