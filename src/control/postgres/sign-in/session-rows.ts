import { and, desc, eq, gt, ne } from "drizzle-orm";
import type { SessionRow, SignInStore } from "../../sign-in-store.ts";
import { findById } from "../account-rows.ts";
import type { ControlContext } from "../context.ts";
import { sessions } from "./sign-in-tables.ts";

type Sessions = Pick<SignInStore, "findSession" | "touchSession" | "listSessions" | "endSessions">;

/** @package */
export function createSessionRows({ read, commitOne, transact }: ControlContext): Sessions {
  return {
    findSession: (digest, at) =>
      read(async (statements) => {
        const [row] = await statements
          .select()
          .from(sessions)
          .where(and(eq(sessions.token, digest), gt(sessions.expiresAt, at)));
        const account = row && (await findById(statements, row.userId));
        return account && !account.disabled ? { ...asSession(row), account } : undefined;
      }),
    touchSession: async (id, { at, expiresAt }) => {
      await commitOne((statements) =>
        statements.update(sessions).set({ updatedAt: at, expiresAt }).where(eq(sessions.id, id)),
      );
    },
    listSessions: (accountId, at) =>
      read(async (statements) => {
        const rows = await statements
          .select()
          .from(sessions)
          .where(and(eq(sessions.userId, accountId), gt(sessions.expiresAt, at)))
          .orderBy(desc(sessions.updatedAt), desc(sessions.createdAt));
        return rows.map(asSession);
      }),
    endSessions: (accountId, which, by) =>
      transact(async (statements, log) => {
        const meant = "id" in which ? eq(sessions.id, which.id) : ne(sessions.id, which.except);
        const ended = await statements
          .delete(sessions)
          .where(and(eq(sessions.userId, accountId), meant))
          .returning({ id: sessions.id });
        if (ended.length > 0) await log(by);
        return ended.length;
      }),
  };
}

function asSession(row: typeof sessions.$inferSelect): SessionRow {
  return {
    id: row.id,
    createdMs: row.createdAt.getTime(),
    lastSeenMs: row.updatedAt.getTime(),
    address: row.ipAddress || undefined,
    userAgent: row.userAgent || undefined,
  };
}
