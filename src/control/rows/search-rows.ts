import { and, asc, countDistinct, eq, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import {
  type PendingSearch,
  type RankedLogin,
  type SavedRefusal,
  type SavedSearch,
  type SearchRun,
  savedLimits,
} from "../saved-records.ts";
import type { ControlRow, ControlTables } from "../tables/control-tables.ts";
import { addMail } from "./delivery-rows.ts";
import type { RowsContext } from "./rows-context.ts";

/** A change of a search of the account. */
type ChangeWork = (queries: Queries) => Work<void>;

type FoundSearch = SavedSearch & { readonly found: readonly RankedLogin[] };

/** @package */
export function createSearchRows({ tables, read, transact }: RowsContext) {
  const { searches } = tables;
  const isSearch = (accountId: string, id: string) =>
    and(eq(searches.accountId, accountId), eq(searches.id, id));
  const changeOne = (accountId: string, id: string, work: ChangeWork, by?: NewAuditEntry) =>
    transact(function* (queries, log) {
      const own = queries.select({ id: searches.id }).from(searches).where(isSearch(accountId, id));
      if (!(yield* fetchRow(own))) return false;
      yield* work(queries);
      if (by) yield* log(by);
      return true;
    });
  return {
    /** Returns the account's searches, sorted by name. */
    searches: (accountId: string): Promise<readonly SavedSearch[]> =>
      read(function* (queries) {
        const own = selectChanges(queries, tables).where(eq(searches.accountId, accountId));
        return (yield* fetchRows(own)).map(toSearch);
      }),
    /** Returns a search with the people found, best first. People who are no longer found come last. */
    findSearch: (accountId: string, id: string): Promise<FoundSearch | undefined> =>
      read(function* (queries) {
        const changes = selectChanges(queries, tables).where(isSearch(accountId, id));
        const row = yield* fetchRow(changes);
        return row && { ...toSearch(row), found: yield* listFound(queries, tables, id) };
      }),
    addSearch: (
      accountId: string,
      { id, name, query }: Pick<SavedSearch, "id" | "name" | "query">,
      first: SearchRun,
      by: NewAuditEntry,
    ): Promise<SavedRefusal | undefined> =>
      transact(function* (queries, log) {
        const isOwn = eq(searches.accountId, accountId);
        const names = queries.select({ nameKey: searches.nameKey }).from(searches).where(isOwn);
        const known = yield* fetchRows(names);
        const nameKey = name.toLowerCase();
        if (known.some((one) => one.nameKey === nameKey)) return "name taken";
        if (known.length >= savedLimits.searchesMax) return "too many";
        const seenMs = first.at.getTime();
        const times = { seenMs, ranMs: seenMs };
        const row = { id, accountId, name, nameKey, query, total: first.total, ...times };
        yield* execute(queries.insert(searches).values(row));
        yield* putRun(queries, tables, id, first);
        yield* markSeen(queries, tables, { id, seenMs });
        yield* log(by);
        return undefined;
      }),
    /** Stores the people whom the search finds now, and whether mail tells of them. @returns whether the account has the search. */
    noteRun: (accountId: string, id: string, latest: SearchRun, canMail = false) =>
      changeOne(accountId, id, function* (queries) {
        const own = queries.select().from(searches).where(eq(searches.id, id));
        const { lookedMs: seenMs = null, mailTo, mailMs } = (yield* fetchRow(own)) ?? {};
        if (seenMs !== null) yield* markSeen(queries, tables, { id, seenMs });
        const isNews = yield* putRun(queries, tables, id, latest);
        if (!isNews || !canMail || !mailTo) return;
        const due = new Date(Math.max(latest.at.getTime(), mailMs ?? 0));
        yield* addMail(queries, tables, { search: id }, due);
      }),
    noteLook: (accountId: string, id: string, at: Date) =>
      changeOne(accountId, id, (queries) =>
        execute(
          queries.update(searches).set({ lookedMs: at.getTime() }).where(eq(searches.id, id)),
        ),
      ),
    removeSearch: (accountId: string, id: string, by: NewAuditEntry) => {
      const remove = (queries: Queries) =>
        execute(queries.delete(searches).where(eq(searches.id, id)));
      return changeOne(accountId, id, remove, by);
    },
  };
}

/** @package Finds searches that are due to run, and counts the new people in them. */
export function createPendingRows({ tables, read, transact }: RowsContext) {
  const { accounts, searches } = tables;
  const fetchPending = (queries: Queries, revision: number): Work<PendingSearch | undefined> => {
    const isStale = or(isNull(searches.revision), ne(searches.revision, revision));
    return fetchRow(
      queries
        .select({ accountId: searches.accountId, id: searches.id, query: searches.query })
        .from(searches)
        .innerJoin(accounts, eq(accounts.id, searches.accountId))
        .where(and(isStale, eq(accounts.disabled, false)))
        .orderBy(asc(searches.ranMs), asc(searches.id))
        .limit(1),
    );
  };
  return {
    /** Claims the search that has waited longest for a run on this revision of the pool. No other node gets the same search. */
    claimPending: async (revision: number): Promise<PendingSearch | undefined> => {
      // Usually no search is due, and then no transaction is needed.
      const seen = await read((queries) => fetchPending(queries, revision));
      if (!seen) return undefined;
      return transact(function* (queries) {
        const pending = yield* fetchPending(queries, revision);
        if (!pending) return undefined;
        yield* execute(
          queries.update(searches).set({ revision }).where(eq(searches.id, pending.id)),
        );
        return pending;
      });
    },
    /** Returns the number of people whom the account's searches have found since the account last looked. */
    countNew: (accountId: string): Promise<number> =>
      read(function* (queries) {
        const isOwn = eq(searches.accountId, accountId);
        return (yield* fetchRow(selectNewCount(queries, tables, isOwn)))?.people ?? 0;
      }),
  };
}

/** Counts the people whom saved searches have found since the account last looked. */
export function selectNewCount(
  queries: Queries,
  { searches, foundPeople }: ControlTables,
  isMeant: SQL,
) {
  const { seenScore, score, searchId, loginKey } = foundPeople;
  const isNew = and(isNull(seenScore), isNotNull(score), isNull(searches.lookedMs));
  return queries
    .select({ people: countDistinct(loginKey) })
    .from(foundPeople)
    .innerJoin(searches, eq(searches.id, searchId))
    .where(and(isMeant, isNew));
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
      moved: countIf(sql`${seenScore} <> ${score}`),
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

/** Stores the results of a run. Call inside a transaction. @returns whether it found people who were not stored. */
function* putRun(
  queries: Queries,
  { searches, foundPeople }: ControlTables,
  id: string,
  { people, at, total, model }: SearchRun,
): Work<boolean> {
  const { searchId, loginKey, seenScore, score } = foundPeople;
  const isFoundHere = eq(searchId, id);
  const stored = yield* fetchRows(
    queries.select({ key: loginKey }).from(foundPeople).where(isFoundHere),
  );
  // A person without a score was found earlier, but not in this run.
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
  const [before] = yield* fetchRows(
    queries.select({ model: searches.model }).from(searches).where(eq(searches.id, id)),
  );
  if (before?.model !== model) {
    // The new score replaces the older one, because scores of different models cannot be compared.
    const isFoundAgain = and(isFoundHere, isNotNull(seenScore), isNotNull(score));
    yield* execute(
      queries
        .update(foundPeople)
        .set({ seenScore: sql`${score}` })
        .where(isFoundAgain),
    );
  }
  const isForgotten = and(isFoundHere, isNull(seenScore), isNull(score));
  yield* execute(queries.delete(foundPeople).where(isForgotten));
  const run = { total, ranMs: at.getTime(), lookedMs: null, model };
  yield* execute(queries.update(searches).set(run).where(eq(searches.id, id)));
  const known = new Set(stored.map(({ key }) => key));
  return rows.some(({ loginKey: key }) => !known.has(key));
}

/** Marks the latest results as seen. Later results are compared with them. Call inside a transaction. */
function* markSeen(
  queries: Queries,
  { searches, foundPeople }: ControlTables,
  { id, seenMs }: { readonly id: string; readonly seenMs: number },
): Work<void> {
  const { searchId, score } = foundPeople;
  const isFoundHere = eq(searchId, id);
  yield* execute(queries.delete(foundPeople).where(and(isFoundHere, isNull(score))));
  const seen = { seenScore: sql`${score}` };
  yield* execute(queries.update(foundPeople).set(seen).where(isFoundHere));
  yield* execute(queries.update(searches).set({ seenMs }).where(eq(searches.id, id)));
}

function toSearch({
  search: { id, name, query, total, seenMs, ranMs, lookedMs, mailTo },
  ...changes
}: {
  readonly search: ControlRow<"searches">;
} & Pick<SavedSearch, "new" | "gone" | "moved">): SavedSearch {
  const seenAt = new Date(seenMs).toISOString();
  const ranAt = new Date(ranMs).toISOString();
  const isLookedAt = lookedMs !== null;
  return { id, name, query, total, seenAt, ranAt, isLookedAt, mailTo, ...changes };
}
