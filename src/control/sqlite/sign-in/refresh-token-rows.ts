import { and, eq } from "drizzle-orm";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { SignInStore } from "../../sign-in-store.ts";
import type { SignInStoreContext } from "./sign-in-store-context.ts";
import { accessTokens, consents, refreshTokens } from "./sign-in-tables.ts";

type RefreshTokens = Pick<
  Immediate<SignInStore>,
  "findRefreshToken" | "keepAnswer" | "endFamily" | "hasConsent"
>;

/** @package Refresh tokens, and the stored responses to them. */
export function createRefreshTokenRows({
  store,
  accountRows,
  guarded,
  transact,
}: SignInStoreContext): RefreshTokens {
  const { orm } = store;
  return {
    findRefreshToken: (digest) =>
      guarded(() => {
        const row = orm.select().from(refreshTokens).where(eq(refreshTokens.token, digest)).get();
        const account = row && accountRows.byId(row.userId);
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
    keepAnswer: (id, { sealed, untilMs }) => {
      const answer = {
        rotationReplayResponse: sealed,
        rotationReplayExpiresAt: new Date(untilMs),
      };
      guarded(() => orm.update(refreshTokens).set(answer).where(eq(refreshTokens.id, id)).run());
    },
    endFamily: (family, by) =>
      transact((log) => {
        for (const table of [accessTokens, refreshTokens]) {
          orm.delete(table).where(eq(table.authorizationCodeId, family)).run();
        }
        log(by);
      }),
    hasConsent: (accountId, clientId) =>
      guarded(() => {
        const isMeant = and(eq(consents.userId, accountId), eq(consents.clientId, clientId));
        return orm.select().from(consents).where(isMeant).get() !== undefined;
      }),
  };
}
