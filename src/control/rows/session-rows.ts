import { and, desc, eq, gt, ne, type SQL } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
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

export function toLiveSession(row: SelectedSession) {
  return { ...toSession(row.session), account: toAccountRow(row) };
}

type SelectedSession = ReturnType<ReturnType<typeof selectSessions>["all"]>[number];

/** @package */
export function createSessionRows({ tables, read, commitOne, transact }: RowsContext) {
  const { sessions } = tables;
  return {
    /** Returns a session with its account. `undefined` means that no session with this digest is valid. */
    findSession: (digest: string, at: Date) =>
      read(function* (queries) {
        const isMeant = and(eq(sessions.token, digest), gt(sessions.expiresAt, at));
        const row = yield* fetchRow(selectSessions(queries, tables, isMeant));
        return row && toLiveSession(row);
      }),
    /** Records that the session was used. It now ends at `expiresAt`. */
    noteSession: (id: string, { at, expiresAt }: Record<"at" | "expiresAt", Date>): Promise<void> =>
      commitOne((queries) => {
        const seen = { updatedAt: at, expiresAt };
        return execute(queries.update(sessions).set(seen).where(eq(sessions.id, id)));
      }),
    /** Lists the valid sessions. The session that was used last comes first. */
    listSessions: (accountId: string, at: Date) =>
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
    /**
     * Ends one session, or all sessions except one.
     * @param by undefined if an entry of the audit log says already why the sessions end.
     * @returns the number of sessions that were ended.
     */
    endSessions: (
      accountId: string,
      which: { readonly id: string } | { readonly except: string },
      by: NewAuditEntry | undefined,
    ): Promise<number> =>
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
  };
}

function toSession(row: ControlRow<"sessions">) {
  return {
    id: row.id,
    createdMs: row.createdAt.getTime(),
    /** Time of the last use, accurate to the minute. */
    lastSeenMs: row.updatedAt.getTime(),
    address: row.ipAddress || undefined,
    userAgent: row.userAgent || undefined,
  };
}
