import { and, asc, eq, exists, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { fetchRow, fetchRows, type Queries } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
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

export function toGrant({ resources, ...row }: SelectedGrant) {
  return { ...row, resources: resources ?? [] };
}

type SelectedGrant = ReturnType<ReturnType<typeof selectGrants>["all"]>[number];

/** @package Stores grants: the permissions that accounts give their assistants. */
export function createGrantRows({ tables, read, transact }: RowsContext) {
  const { accessTokens, refreshTokens, clients, consents } = tables;
  return {
    /** Finds a grant by the digest of its access token. `undefined` means that no valid token has this digest. */
    findGrant: (digest: string, at: Date) =>
      read(function* (queries) {
        const isMeant = and(eq(accessTokens.token, digest), gt(accessTokens.expiresAt, at));
        const row = yield* fetchRow(selectGrants(queries, tables, isMeant));
        return row && toGrant(row);
      }),
    /** Lists the assistants that are connected to the account, oldest first. */
    listAssistants: (accountId: string, at: Date) =>
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
          /** Time of the last use, accurate to the minute. */
          lastUsedMs: consent.lastUsedMs ?? undefined,
        }));
      }),
    /** Disconnects an assistant from the account. @returns whether it was connected. */
    endAssistant: (accountId: string, assistantId: string, by: NewAuditEntry): Promise<boolean> =>
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
