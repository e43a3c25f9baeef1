import { and, eq } from "drizzle-orm";
import { execute, fetchRow } from "../../queries/work.ts";
import type { SignInStore } from "../sign-in-store.ts";
import { findAccountById } from "./account-rows.ts";
import type { RowsContext } from "./rows-context.ts";

type RefreshTokens = Pick<
  SignInStore,
  "findRefreshToken" | "keepAnswer" | "endFamily" | "hasConsent"
>;

/** @package Refresh tokens, and the stored responses to them. */
export function createRefreshTokenRows(context: RowsContext): RefreshTokens {
  const { tables, read, commitOne, transact } = context;
  const { accessTokens, refreshTokens, consents } = tables;
  return {
    findRefreshToken: (digest) =>
      read(function* (queries) {
        const isMeant = eq(refreshTokens.token, digest);
        const row = yield* fetchRow(queries.select().from(refreshTokens).where(isMeant));
        const account = row && (yield* findAccountById(queries, tables, row.userId));
        if (!account || account.disabled) return undefined;
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
    keepAnswer: (id, { sealed, untilMs }) =>
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
  };
}
