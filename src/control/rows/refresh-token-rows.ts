import { and, eq } from "drizzle-orm";
import { execute, fetchRow } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package Stores refresh tokens, and the responses to them. */
export function createRefreshTokenRows(context: RowsContext) {
  const { tables, read, commitOne, transact } = context;
  const { accounts, accessTokens, refreshTokens, consents } = tables;
  return {
    /** Finds a refresh token by its digest. `undefined` means that no enabled account has the token. */
    findRefreshToken: (digest: string) =>
      read(function* (queries) {
        const isHolder = and(eq(accounts.id, refreshTokens.userId), eq(accounts.disabled, false));
        const found = yield* fetchRow(
          queries
            .select({ row: refreshTokens })
            .from(refreshTokens)
            .innerJoin(accounts, isHolder)
            .where(eq(refreshTokens.token, digest)),
        );
        if (!found) return undefined;
        const { row } = found;
        const { rotationReplayResponse: sealed, rotationReplayExpiresAt: until } = row;
        return {
          id: row.id,
          accountId: row.userId,
          clientId: row.clientId,
          /** The id that all tokens from one authorization code have. */
          family: row.authorizationCodeId ?? "",
          /** Whether the token was used or revoked. */
          isSpent: row.revoked !== null,
          answer: sealed && until ? { sealed, untilMs: until.getTime() } : undefined,
        };
      }),
    /** Stores the encrypted response to this refresh token. It can be sent again until `untilMs`. */
    storeAnswer: (
      id: string,
      { sealed, untilMs }: { readonly sealed: string; readonly untilMs: number },
    ): Promise<void> =>
      commitOne((queries) => {
        const answer = {
          rotationReplayResponse: sealed,
          rotationReplayExpiresAt: new Date(untilMs),
        };
        return execute(queries.update(refreshTokens).set(answer).where(eq(refreshTokens.id, id)));
      }),
    /** Ends every token that was issued from one authorization code, in one transaction. */
    endFamily: (family: string, by: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        for (const table of [accessTokens, refreshTokens]) {
          yield* execute(queries.delete(table).where(eq(table.authorizationCodeId, family)));
        }
        yield* log(by);
      }),
    hasConsent: (accountId: string, clientId: string): Promise<boolean> =>
      read(function* (queries) {
        const isMeant = and(eq(consents.userId, accountId), eq(consents.clientId, clientId));
        const consent = queries.select({ id: consents.id }).from(consents).where(isMeant);
        return (yield* fetchRow(consent)) !== undefined;
      }),
  };
}
