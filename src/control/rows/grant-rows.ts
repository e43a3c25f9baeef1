import { and, asc, eq, exists, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { fetchRow, fetchRows, type Queries } from "../../queries/work.ts";
import type { GrantRow, SignInStore } from "../sign-in-store.ts";
import type { ControlTables } from "../tables/control-tables.ts";
import { endGrants } from "./ending.ts";
import type { RowsContext } from "./rows-context.ts";

/** Selects tokens that are not revoked and whose account is not disabled. */
export function selectGrants(queries: Queries, tables: ControlTables, isMeant: SQL | undefined) {
  const { accounts, accessTokens } = tables;
  const { id, userId, clientId, scopes, resources, revoked } = accessTokens;
  const { plan } = accounts;
  return queries
    .select({ id, accountId: userId, plan, clientId, scopes, resources })
    .from(accessTokens)
    .innerJoin(accounts, and(eq(accounts.id, userId), eq(accounts.disabled, false)))
    .where(and(isMeant, isNull(revoked)));
}

export function toGrant({ resources, ...row }: SelectedGrant): GrantRow {
  return { ...row, resources: resources ?? [] };
}

type SelectedGrant = ReturnType<ReturnType<typeof selectGrants>["all"]>[number];

/** @package Stores grants: the permissions that accounts give their assistants. */
export function createGrantRows({ tables, read, transact }: RowsContext) {
  const { accessTokens, refreshTokens, clients, consents } = tables;
  return {
    findGrant: (digest, at) =>
      read(function* (queries) {
        const isMeant = and(eq(accessTokens.token, digest), gt(accessTokens.expiresAt, at));
        const row = yield* fetchRow(selectGrants(queries, tables, isMeant));
        return row && toGrant(row);
      }),
    listAssistants: (accountId, at) =>
      read(function* (queries) {
        // An assistant is connected only while it has a valid token.
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
  } satisfies Partial<SignInStore>;
}
