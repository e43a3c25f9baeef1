import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { NewAuditEntry } from "../../account-records.ts";
import {
  type RankedLogin,
  type SavedRecords,
  type SavedSearch,
  type SearchRun,
  savedLimits,
} from "../../saved-records.ts";
import type { SignInStoreContext } from "../sign-in/sign-in-store-context.ts";
import { foundPeople, searches } from "./saved-tables.ts";

type Searches = Pick<
  Immediate<SavedRecords>,
  "searches" | "findSearch" | "addSearch" | "noteRun" | "markSeen" | "removeSearch"
>;

/** @package */
export function createSearchRows({ store, guarded, transact }: SignInStoreContext): Searches {
  const { orm } = store;
  const run = createRunRows(store);
  const selectSearches = () => selectChanges(store);
  /** @returns whether the account has the search, with which `work` was then done. */
  const changeOne = (accountId: string, id: string, work: () => void, by?: NewAuditEntry) =>
    transact((log) => {
      const has = orm
        .select({ id: searches.id })
        .from(searches)
        .where(ofAccount(accountId, id))
        .get();
      if (!has) return false;
      work();
      if (by) log(by);
      return true;
    });
  return {
    searches: (accountId) =>
      guarded(() => selectSearches().where(eq(searches.accountId, accountId)).all().map(toSearch)),
    findSearch: (accountId, id) =>
      guarded(() => {
        const row = selectSearches().where(ofAccount(accountId, id)).get();
        return row && { ...toSearch(row), found: run.found(id) };
      }),
    addSearch: (accountId, { id, name, query }, first, by) =>
      transact((log) => {
        const names = orm
          .select({ nameKey: searches.nameKey })
          .from(searches)
          .where(eq(searches.accountId, accountId))
          .all();
        const nameKey = name.toLowerCase();
        if (names.some((one) => one.nameKey === nameKey)) return "name taken";
        if (names.length >= savedLimits.searchesMax) return "too many";
        const times = { seenMs: first.at.getTime(), ranMs: first.at.getTime() };
        const row = { id, accountId, name, nameKey, query, total: first.total, ...times };
        orm.insert(searches).values(row).run();
        run.put(id, first);
        run.see(id);
        log(by);
        return undefined;
      }),
    noteRun: (accountId, id, latest) => changeOne(accountId, id, () => run.put(id, latest)),
    markSeen: (accountId, id) => changeOne(accountId, id, () => run.see(id)),
    removeSearch: (accountId, id, by) =>
      changeOne(accountId, id, () => orm.delete(searches).where(eq(searches.id, id)).run(), by),
  };
}

const ofAccount = (accountId: string, id: string) =>
  and(eq(searches.accountId, accountId), eq(searches.id, id));

const { seenScore, score } = foundPeople;
const countIf = (condition: ReturnType<typeof sql>) =>
  sql<number>`coalesce(sum(${condition}), 0)`.mapWith(Number);

function selectChanges({ orm }: Database) {
  return orm
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

/** Whom a search found. Write inside a transaction only. */
function createRunRows({ orm }: Database) {
  const foundBy = (searchId: string) => eq(foundPeople.searchId, searchId);
  const target = [foundPeople.searchId, foundPeople.loginKey];
  return {
    found: (id: string): readonly RankedLogin[] =>
      orm
        .select()
        .from(foundPeople)
        .where(foundBy(id))
        .orderBy(sql`${score} DESC NULLS LAST`, asc(foundPeople.loginKey))
        .all()
        .map((one) => ({
          login: one.login,
          seenScore: one.seenScore ?? undefined,
          score: one.score ?? undefined,
        })),
    put(id: string, { people, at, total }: SearchRun): void {
      // Whoever was seen and is not among those found has no score now.
      orm.update(foundPeople).set({ score: null }).where(foundBy(id)).run();
      for (const { login, score } of people.slice(0, savedLimits.foundMax)) {
        const row = { searchId: id, loginKey: login.toLowerCase(), login, score };
        const set = { login, score };
        orm.insert(foundPeople).values(row).onConflictDoUpdate({ target, set }).run();
      }
      orm
        .delete(foundPeople)
        .where(and(foundBy(id), isNull(seenScore), isNull(score)))
        .run();
      orm.update(searches).set({ total, ranMs: at.getTime() }).where(eq(searches.id, id)).run();
    },
    see(id: string): void {
      orm
        .delete(foundPeople)
        .where(and(foundBy(id), isNull(score)))
        .run();
      orm
        .update(foundPeople)
        .set({ seenScore: sql`${score}` })
        .where(foundBy(id))
        .run();
      orm
        .update(searches)
        .set({ seenMs: sql`${searches.ranMs}` })
        .where(eq(searches.id, id))
        .run();
    },
  };
}

function toSearch({
  search: { id, name, query, total, seenMs, ranMs },
  ...changes
}: {
  readonly search: typeof searches.$inferSelect;
} & Pick<SavedSearch, "new" | "gone" | "changed">): SavedSearch {
  const [seenAt, ranAt] = [seenMs, ranMs].map((ms) => new Date(ms).toISOString()) as [
    string,
    string,
  ];
  return { id, name, query, total, seenAt, ranAt, ...changes };
}
