import { and, asc, eq, exists, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { fetchRow, fetchRows } from "../../queries/work.ts";
import type { SignInStore } from "../sign-in-store.ts";
import { endGrants } from "./ending.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package Grants: what accounts allow their assistants. */
export function createGrantRows({
  tables,
  read,
  transact,
}: RowsContext): Pick<SignInStore, "findGrants" | "listAssistants" | "endAssistant"> {
  const { accounts, accessTokens, refreshTokens, clients, consents } = tables;
  return {
    findGrants: (digests, at) =>
      read(function* (queries) {
        const isHolder = and(eq(accounts.id, accessTokens.userId), eq(accounts.disabled, false));
        const { token, revoked, expiresAt } = accessTokens;
        const isLive = and(inArray(token, [...digests]), isNull(revoked), gt(expiresAt, at));
        const rows = yield* fetchRows(
          queries
            .select({ token: accessTokens, plan: accounts.plan })
            .from(accessTokens)
            .innerJoin(accounts, isHolder)
            .where(isLive),
        );
        const byDigest = new Map(rows.map((row) => [row.token.token, row]));
        return digests.map((digest) => {
          const row = byDigest.get(digest);
          if (!row) return undefined;
          const { id, userId: accountId, clientId, scopes, resources } = row.token;
          return { id, accountId, plan: row.plan, clientId, scopes, resources: resources ?? [] };
        });
      }),
    listAssistants: (accountId, at) =>
      read(function* (queries) {
        // A consent without a valid token is not a connection.
        const hasLiveToken = [accessTokens, refreshTokens].map((table) => {
          const isOwn = eq(table.userId, consents.userId);
          const ofConsent = and(isOwn, eq(table.clientId, consents.clientId));
          const isLive = and(isNull(table.revoked), gt(table.expiresAt, at));
          const one = { one: sql`1` };
          return exists(queries.select(one).from(table).where(and(ofConsent, isLive)));
        });
        const rows = yield* fetchRows(
          queries
            .select({ consent: consents, client: clients })
            .from(consents)
            .innerJoin(clients, eq(clients.clientId, consents.clientId))
            .where(and(eq(consents.userId, accountId), or(...hasLiveToken)))
            .orderBy(asc(consents.createdAt), asc(consents.id)),
        );
        return rows.map(({ consent, client }) => ({
          id: consent.id,
          name: client.name ?? undefined,
          redirectUris: client.redirectUris,
          scopes: consent.scopes,
          connectedMs: consent.createdAt?.getTime() ?? 0,
          lastUsedMs: consent.lastUsedMs ?? undefined,
        }));
      }),
    endAssistant: (accountId, assistantId, by) =>
      transact(function* (queries, log) {
        const isMeant = and(eq(consents.id, assistantId), eq(consents.userId, accountId));
        const consent = yield* fetchRow(queries.select().from(consents).where(isMeant));
        if (!consent) return false;
        yield* endGrants(queries, tables, accountId, consent.clientId);
        yield* log(by);
        return true;
      }),
  };
}
