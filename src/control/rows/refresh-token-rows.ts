import { and, eq } from "drizzle-orm";
import { execute, fetchRow } from "../../queries/work.ts";
import type { SignInStore } from "../sign-in-store.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package Stores refresh tokens, and the responses to them. */
export function createRefreshTokenRows(context: RowsContext) {
  const { tables, read, commitOne, transact } = context;
  const { accounts, accessTokens, refreshTokens, consents } = tables;
  return {
    findRefreshToken: (digest) =>
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
          family: row.authorizationCodeId ?? "",
          isSpent: row.revoked !== null,
          answer: sealed && until ? { sealed, untilMs: until.getTime() } : undefined,
        };
      }),
    storeAnswer: (id, { sealed, untilMs }) =>
      commitOne((queries) => {
        const answer = {
          rotationReplayResponse: sealed,
          rotationReplayExpiresAt: new Date(untilMs),
        };
        return execute(queries.update(refreshTokens).set(answer).where(eq(refreshTokens.id, id)));
      }),
    endFamily: (family, by) =>
      transact(function* (queries, log) {
        for (const table of [accessTokens, refreshTokens]) {
          yield* execute(queries.delete(table).where(eq(table.authorizationCodeId, family)));
        }
        yield* log(by);
      }),
    hasConsent: (accountId, clientId) =>
      read(function* (queries) {
        const isMeant = and(eq(consents.userId, accountId), eq(consents.clientId, clientId));
        const consent = queries.select({ id: consents.id }).from(consents).where(isMeant);
        return (yield* fetchRow(consent)) !== undefined;
      }),
  } satisfies Partial<SignInStore>;
}
