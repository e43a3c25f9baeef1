import { and, desc, eq, gt, ne, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../../sqlite/database.ts";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { SessionRow, SignInStore } from "../../sign-in-store.ts";
import type { SignInStoreContext } from "./sign-in-store-context.ts";
import { sessions } from "./sign-in-tables.ts";

type Sessions = Pick<
  Immediate<SignInStore>,
  "findSession" | "touchSession" | "listSessions" | "endSessions"
>;

/** @package */
export function createSessionRows({
  store,
  accountRows,
  guarded,
  transact,
}: SignInStoreContext): Sessions {
  const { orm } = store;
  const byDigest = prepareOnce(() =>
    orm
      .select()
      .from(sessions)
      .where(
        and(
          eq(sessions.token, sql.placeholder("digest")),
          sql`${sessions.expiresAt} > ${sql.placeholder("atMs")}`,
        ),
      ),
  );
  return {
    findSession: (digest, at) =>
      guarded(() => {
        const row = byDigest().get({ digest, atMs: at.getTime() });
        const account = row && accountRows.byId(row.userId);
        return account && !account.disabled ? { ...asSession(row), account } : undefined;
      }),
    touchSession: (id, { at, expiresAt }) => {
      guarded(() =>
        orm.update(sessions).set({ updatedAt: at, expiresAt }).where(eq(sessions.id, id)).run(),
      );
    },
    listSessions: (accountId, at) =>
      guarded(() =>
        orm
          .select()
          .from(sessions)
          .where(and(eq(sessions.userId, accountId), gt(sessions.expiresAt, at)))
          .orderBy(desc(sessions.updatedAt), desc(sessions.createdAt))
          .all()
          .map(asSession),
      ),
    endSessions: (accountId, which, by) =>
      transact((log) => {
        const meant = "id" in which ? eq(sessions.id, which.id) : ne(sessions.id, which.except);
        const ended = orm
          .delete(sessions)
          .where(and(eq(sessions.userId, accountId), meant))
          .returning({ id: sessions.id })
          .all();
        if (ended.length > 0) log(by);
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

/** The statement of a charge that concerns a session. */
export function prepareSessionRow({ orm }: Database) {
  return prepareOnce(() =>
    orm
      .select({ accountId: sessions.userId, expiresAt: sessions.expiresAt })
      .from(sessions)
      .where(eq(sessions.id, sql.placeholder("id"))),
  );
}
