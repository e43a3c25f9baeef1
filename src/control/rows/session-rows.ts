import { and, desc, eq, gt, ne } from "drizzle-orm";
import { execute, fetchRow, fetchRows } from "../../queries/work.ts";
import type { SessionRow, SignInStore } from "../sign-in-store.ts";
import type { ControlRow } from "../tables/control-tables.ts";
import { findAccountById } from "./account-rows.ts";
import type { RowsContext } from "./rows-context.ts";

type Sessions = Pick<SignInStore, "findSession" | "touchSession" | "listSessions" | "endSessions">;

/** @package */
export function createSessionRows({ tables, read, commitOne, transact }: RowsContext): Sessions {
  const { sessions } = tables;
  return {
    findSession: (digest, at) =>
      read(function* (queries) {
        const isLive = and(eq(sessions.token, digest), gt(sessions.expiresAt, at));
        const row = yield* fetchRow(queries.select().from(sessions).where(isLive));
        const account = row && (yield* findAccountById(queries, tables, row.userId));
        return account && !account.disabled ? { ...toSession(row), account } : undefined;
      }),
    touchSession: (id, { at, expiresAt }) =>
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
        if (ended.length > 0) yield* log(by);
        return ended.length;
      }),
  };
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
