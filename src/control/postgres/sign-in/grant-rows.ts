import { and, asc, eq, exists, gt, isNull, or, sql } from "drizzle-orm";
import { isAnyOf } from "../../../postgres/column-types.ts";
import type { Statements } from "../../../postgres/database.ts";
import type { AssistantRow, SignInStore } from "../../sign-in-store.ts";
import type { ControlContext } from "../context.ts";
import { accounts } from "../tables.ts";
import { endGrants } from "./ending.ts";
import { accessTokens, clients, consents, refreshTokens } from "./sign-in-tables.ts";

/** @package Grants: what accounts allow their assistants. */
export function createGrantRows({
  read,
  transact,
}: ControlContext): Pick<SignInStore, "findGrants" | "listAssistants" | "endAssistant"> {
  return {
    findGrants: (digests, at) =>
      read(async (statements) => {
        const rows = await statements
          .select({ token: accessTokens, plan: accounts.plan })
          .from(accessTokens)
          .innerJoin(
            accounts,
            and(eq(accounts.id, accessTokens.userId), eq(accounts.disabled, false)),
          )
          .where(
            and(
              isAnyOf(accessTokens.token, digests),
              isNull(accessTokens.revoked),
              gt(accessTokens.expiresAt, at),
            ),
          );
        const byDigest = new Map(rows.map((row) => [row.token.token, row]));
        return digests.map((digest) => {
          const row = byDigest.get(digest);
          if (!row) return undefined;
          const { id, userId: accountId, clientId, scopes, resources } = row.token;
          const lists = { scopes: toTexts(scopes), resources: toTexts(resources) };
          return { id, accountId, plan: row.plan, clientId, ...lists };
        });
      }),
    listAssistants: (accountId, at) =>
      read((statements) => selectAssistants(statements, accountId, at)),
    endAssistant: (accountId, assistantId, by) =>
      transact(async (statements, log) => {
        const meant = and(eq(consents.id, assistantId), eq(consents.userId, accountId));
        const [consent] = await statements.select().from(consents).where(meant);
        if (!consent) return false;
        await endGrants(statements, accountId, consent.clientId);
        await log(by);
        return true;
      }),
  };
}

async function selectAssistants(
  statements: Statements,
  accountId: string,
  at: Date,
): Promise<AssistantRow[]> {
  // A consent without a valid token is not a connection.
  const hasLiveToken = [accessTokens, refreshTokens].map((table) => {
    const ofConsent = and(eq(table.userId, consents.userId), eq(table.clientId, consents.clientId));
    const isLive = and(isNull(table.revoked), gt(table.expiresAt, at));
    return exists(statements.select({ one: sql`1` }).from(table).where(and(ofConsent, isLive)));
  });
  const rows = await statements
    .select({ consent: consents, client: clients })
    .from(consents)
    .innerJoin(clients, eq(clients.clientId, consents.clientId))
    .where(and(eq(consents.userId, accountId), or(...hasLiveToken)))
    .orderBy(asc(consents.createdAt), asc(consents.id));
  return rows.map(({ consent, client }) => ({
    id: consent.id,
    name: client.name ?? undefined,
    redirectUris: toTexts(client.redirectUris),
    scopes: toTexts(consent.scopes),
    connectedMs: consent.createdAt?.getTime() ?? 0,
    lastUsedMs: consent.lastUsedMs ?? undefined,
  }));
}

/** @package A column of a list that the library writes. */
export function toTexts(list: unknown): readonly string[] {
  return (list ?? []) as readonly string[];
}
