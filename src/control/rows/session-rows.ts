import { and, desc, eq, gt, ne, type SQL } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries } from "../../queries/work.ts";
import type { LiveSession, SessionRow, SignInStore } from "../sign-in-store.ts";
import type { ControlRow, ControlTables } from "../tables/control-tables.ts";
import { isActiveKey, listAccountFields, toAccountRow } from "./account-rows.ts";
import type { RowsContext } from "./rows-context.ts";

/** Selects sessions with their accounts, except disabled accounts. */
export function selectSessions(queries: Queries, tables: ControlTables, isMeant: SQL | undefined) {
  const { accounts, keys, sessions } = tables;
  return queries
    .select({ session: sessions, ...listAccountFields(tables) })
    .from(sessions)
    .innerJoin(accounts, and(eq(accounts.id, sessions.userId), eq(accounts.disabled, false)))
    .leftJoin(keys, isActiveKey(tables))
    .where(isMeant);
}

export function toLiveSession(row: SelectedSession): LiveSession {
  return { ...toSession(row.session), account: toAccountRow(row) };
}

type SelectedSession = ReturnType<ReturnType<typeof selectSessions>["all"]>[number];

/** @package */
export function createSessionRows({ tables, read, commitOne, transact }: RowsContext) {
  const { sessions } = tables;
  return {
    findSession: (digest, at) =>
      read(function* (queries) {
        const isMeant = and(eq(sessions.token, digest), gt(sessions.expiresAt, at));
        const row = yield* fetchRow(selectSessions(queries, tables, isMeant));
        return row && toLiveSession(row);
      }),
    noteSession: (id, { at, expiresAt }) =>
      commitOne((queries) => {
        const seen = { updatedAt: at, expiresAt };
        return execute(queries.update(sessions).set(seen).where(eq(sessions.id, id)));
      }),
    listSessions: (accountId, at) =>
      read(function* (queries) {
        const rows = yield* fetchRows(
          queries
            .select()
            .from(sessions)
            .where(and(eq(sessions.userId, accountId), gt(sessions.expiresAt, at)))
            .orderBy(desc(sessions.updatedAt), desc(sessions.createdAt)),
        );
        return rows.map(toSession);
      }),
    endSessions: (accountId, which, by) =>
      transact(function* (queries, log) {
        const meant = "id" in which ? eq(sessions.id, which.id) : ne(sessions.id, which.except);
        const ended = yield* fetchRows(
          queries
            .delete(sessions)
            .where(and(eq(sessions.userId, accountId), meant))
            .returning({ id: sessions.id }),
        );
        if (by && ended.length > 0) yield* log(by);
        return ended.length;
      }),
  } satisfies Partial<SignInStore>;
}

function toSession(row: ControlRow<"sessions">): SessionRow {
  return {
    id: row.id,
    createdMs: row.createdAt.getTime(),
    lastSeenMs: row.updatedAt.getTime(),
    address: row.ipAddress || undefined,
    userAgent: row.userAgent || undefined,
  };
}
