import { and, eq } from "drizzle-orm";
import type { SignInStore } from "../../sign-in-store.ts";
import { findById } from "../account-rows.ts";
import type { ControlContext } from "../context.ts";
import { accessTokens, consents, refreshTokens } from "./sign-in-tables.ts";

type RefreshTokens = Pick<
  SignInStore,
  "findRefreshToken" | "keepAnswer" | "endFamily" | "hasConsent"
>;

/** @package Refresh tokens, and the stored responses to them. */
export function createRefreshTokenRows({
  read,
  commitOne,
  transact,
}: ControlContext): RefreshTokens {
  return {
    findRefreshToken: (digest) =>
      read(async (statements) => {
        const [row] = await statements
          .select()
          .from(refreshTokens)
          .where(eq(refreshTokens.token, digest));
        const account = row && (await findById(statements, row.userId));
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
    keepAnswer: async (id, { sealed, untilMs }) => {
      const answer = {
        rotationReplayResponse: sealed,
        rotationReplayExpiresAt: new Date(untilMs),
      };
      await commitOne((statements) =>
        statements.update(refreshTokens).set(answer).where(eq(refreshTokens.id, id)),
      );
    },
    endFamily: (family, by) =>
      transact(async (statements, log) => {
        for (const table of [accessTokens, refreshTokens]) {
          await statements.delete(table).where(eq(table.authorizationCodeId, family));
        }
        await log(by);
      }),
    hasConsent: (accountId, clientId) =>
      read(async (statements) => {
        const isMeant = and(eq(consents.userId, accountId), eq(consents.clientId, clientId));
        return (await statements.select().from(consents).where(isMeant).limit(1)).length > 0;
      }),
  };
}
