import { and, eq, lt, notExists, sql } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import {
  accessTokens,
  clients,
  consents,
  links,
  refreshTokens,
  sessions,
  verifications,
} from "./sign-in-tables.ts";

/** Call inside a transaction. Ends an account's sessions, grants, codes and its link. */
export function endAccess(store: Database, accountId: string): void {
  store.orm.delete(sessions).where(eq(sessions.userId, accountId)).run();
  store.orm.delete(links).where(eq(links.accountId, accountId)).run();
  endGrants(store, accountId);
}

/** @package Call inside a transaction. @param clientId default: every client. */
export function endGrants({ orm }: Database, accountId: string, clientId?: string): void {
  for (const table of [accessTokens, refreshTokens, consents]) {
    const ofClient = clientId === undefined ? undefined : eq(table.clientId, clientId);
    orm
      .delete(table)
      .where(and(eq(table.userId, accountId), ofClient))
      .run();
  }
  // A code that was just issued could still be exchanged for a token.
  const { value } = verifications;
  const ofAccount = sql`json_valid(${value}) AND json_extract(${value}, '$.userId') = ${accountId}`;
  const ofClient =
    clientId === undefined
      ? undefined
      : sql`json_extract(${value}, '$.query.client_id') = ${clientId}`;
  orm.delete(verifications).where(and(ofAccount, ofClient)).run();
}

const dayMs = 86_400_000;
/** A client without any consent a day after its registration is unused. */
const unusedClientMs = dayMs;
/** Longer than any family of refresh tokens lives: its first row says when the family began. */
const refreshTokenMs = 100 * dayMs;

/** @package Removes rows that can never be used again. */
export function prune({ orm, sqlite }: Database, at: Date): void {
  const before = (ms: number) => new Date(at.getTime() - ms);
  const work = sqlite.transaction(() => {
    orm.delete(sessions).where(lt(sessions.expiresAt, at)).run();
    orm.delete(verifications).where(lt(verifications.expiresAt, at)).run();
    orm.delete(links).where(lt(links.expiresMs, at.getTime())).run();
    orm.delete(accessTokens).where(lt(accessTokens.expiresAt, at)).run();
    orm
      .update(refreshTokens)
      .set({ rotationReplayResponse: null, rotationReplayExpiresAt: null })
      .where(lt(refreshTokens.rotationReplayExpiresAt, at))
      .run();
    orm
      .delete(refreshTokens)
      .where(lt(refreshTokens.createdAt, before(refreshTokenMs)))
      .run();
    const consented = orm
      .select({ one: sql`1` })
      .from(consents)
      .where(eq(consents.clientId, clients.clientId));
    orm
      .delete(clients)
      .where(
        and(
          eq(clients.isVerified, false),
          lt(clients.createdAt, before(unusedClientMs)),
          notExists(consented),
        ),
      )
      .run();
  });
  work.immediate();
}
