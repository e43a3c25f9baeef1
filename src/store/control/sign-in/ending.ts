import { and, eq, sql } from "drizzle-orm";
import type { Store } from "../../database.ts";
import { accessTokens, consents, links, refreshTokens, sessions, verifications } from "./tables.ts";

/** @package Call inside a transaction. All that speaks for an account: sessions, grants, codes, its link. */
export function endAccess(store: Pick<Store, "orm">, accountId: string): void {
  store.orm.delete(sessions).where(eq(sessions.userId, accountId)).run();
  store.orm.delete(links).where(eq(links.accountId, accountId)).run();
  endGrants(store, accountId);
}

/** @package Call inside a transaction. @param clientId default: every client. */
export function endGrants({ orm }: Pick<Store, "orm">, accountId: string, clientId?: string): void {
  for (const table of [accessTokens, refreshTokens, consents]) {
    const ofClient = clientId === undefined ? undefined : eq(table.clientId, clientId);
    orm
      .delete(table)
      .where(and(eq(table.userId, accountId), ofClient))
      .run();
  }
  // A code that was just handed out would become a token a moment later.
  const { value } = verifications;
  const ofAccount = sql`json_valid(${value}) AND json_extract(${value}, '$.userId') = ${accountId}`;
  const ofClient =
    clientId === undefined
      ? undefined
      : sql`json_extract(${value}, '$.query.client_id') = ${clientId}`;
  orm.delete(verifications).where(and(ofAccount, ofClient)).run();
}
