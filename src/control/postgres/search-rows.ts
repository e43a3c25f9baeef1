import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Statements } from "../../postgres/database.ts";
import type { NewAuditEntry } from "../account-records.ts";
import {
  type RankedLogin,
  type SavedRecords,
  type SavedSearch,
  type SearchRun,
  savedLimits,
} from "../saved-records.ts";
import type { ControlContext } from "./context.ts";
import { foundPeople, searches } from "./saved-tables.ts";

type Searches = Pick<
  SavedRecords,
  "searches" | "findSearch" | "addSearch" | "noteRun" | "markSeen" | "removeSearch"
>;

/** @package */
export function createSearchRows({ read, transact }: ControlContext): Searches {
  /** @returns whether the account has the search, with which `work` was then done. */
  const changeOne = (
    accountId: string,
    id: string,
    work: (statements: Statements) => Promise<unknown>,
    by?: NewAuditEntry,
  ) =>
    transact(async (statements, log) => {
      const known = await statements
        .select({ id: searches.id })
        .from(searches)
        .where(ofAccount(accountId, id));
      if (known.length === 0) return false;
      await work(statements);
      if (by) await log(by);
      return true;
    });
  return {
    searches: (accountId) =>
      read(async (statements) => {
        const rows = await selectChanges(statements).where(eq(searches.accountId, accountId));
        return rows.map(toSearch);
      }),
    findSearch: (accountId, id) =>
      read(async (statements) => {
        const [row] = await selectChanges(statements).where(ofAccount(accountId, id));
        return row && { ...toSearch(row), found: await listFound(statements, id) };
      }),
    addSearch: (accountId, { id, name, query }, first, by) =>
      transact(async (statements, log) => {
        const names = await statements
          .select({ nameKey: searches.nameKey })
          .from(searches)
          .where(eq(searches.accountId, accountId));
        const nameKey = name.toLowerCase();
        if (names.some((one) => one.nameKey === nameKey)) return "name taken";
        if (names.length >= savedLimits.searchesMax) return "too many";
        const times = { seenMs: first.at.getTime(), ranMs: first.at.getTime() };
        const row = { id, accountId, name, nameKey, query, total: first.total, ...times };
        await statements.insert(searches).values(row);
        await putRun(statements, id, first);
        await markRunSeen(statements, id);
        await log(by);
        return undefined;
      }),
    noteRun: (accountId, id, latest) =>
      changeOne(accountId, id, (statements) => putRun(statements, id, latest)),
    markSeen: (accountId, id) =>
      changeOne(accountId, id, (statements) => markRunSeen(statements, id)),
    removeSearch: (accountId, id, by) =>
      changeOne(
        accountId,
        id,
        (statements) => statements.delete(searches).where(eq(searches.id, id)),
        by,
      ),
  };
}

const ofAccount = (accountId: string, id: string) =>
  and(eq(searches.accountId, accountId), eq(searches.id, id));

const { seenScore, score } = foundPeople;
const countIf = (condition: ReturnType<typeof sql>) =>
  sql<number>`count(*) FILTER (WHERE ${condition})`.mapWith(Number);

function selectChanges(statements: Statements) {
  return statements
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

const foundBy = (searchId: string) => eq(foundPeople.searchId, searchId);

async function listFound(statements: Statements, id: string): Promise<readonly RankedLogin[]> {
  const rows = await statements
    .select()
    .from(foundPeople)
    .where(foundBy(id))
    .orderBy(sql`${score} DESC NULLS LAST`, asc(foundPeople.loginKey));
  return rows.map((one) => ({
    login: one.login,
    seenScore: one.seenScore ?? undefined,
    score: one.score ?? undefined,
  }));
}

/** Call inside a transaction. */
async function putRun(
  statements: Statements,
  id: string,
  { people, at, total }: SearchRun,
): Promise<void> {
  // Whoever was seen and is not among those found has no score now.
  await statements.update(foundPeople).set({ score: null }).where(foundBy(id));
  const found = new Map(
    people
      .slice(0, savedLimits.foundMax)
      .map(({ login, score }) => [login.toLowerCase(), { login, score }]),
  );
  const rows = [...found].map(([loginKey, one]) => ({ searchId: id, loginKey, ...one }));
  if (rows.length > 0) {
    await statements
      .insert(foundPeople)
      .values(rows)
      .onConflictDoUpdate({
        target: [foundPeople.searchId, foundPeople.loginKey],
        set: { login: sql`excluded.login`, score: sql`excluded.score` },
      });
  }
  await statements.delete(foundPeople).where(and(foundBy(id), isNull(seenScore), isNull(score)));
  await statements.update(searches).set({ total, ranMs: at.getTime() }).where(eq(searches.id, id));
}

/** Call inside a transaction. */
async function markRunSeen(statements: Statements, id: string): Promise<void> {
  await statements.delete(foundPeople).where(and(foundBy(id), isNull(score)));
  await statements
    .update(foundPeople)
    .set({ seenScore: sql`${score}` })
    .where(foundBy(id));
  await statements
    .update(searches)
    .set({ seenMs: sql`${searches.ranMs}` })
    .where(eq(searches.id, id));
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
