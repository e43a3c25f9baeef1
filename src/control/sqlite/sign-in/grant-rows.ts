import { and, asc, eq, exists, gt, isNull, or, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../../sqlite/database.ts";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { AssistantRow, SignInStore } from "../../sign-in-store.ts";
import { accounts } from "../tables.ts";
import { endGrants } from "./ending.ts";
import type { SignInStoreContext } from "./sign-in-store-context.ts";
import { accessTokens, clients, consents, refreshTokens } from "./sign-in-tables.ts";

type Grants = Pick<Immediate<SignInStore>, "findGrants" | "listAssistants" | "endAssistant">;

/** @package Grants: what accounts allow their assistants. */
export function createGrantRows({ store, guarded, transact }: SignInStoreContext): Grants {
  const { orm } = store;
  const byDigest = prepareOnce(() =>
    orm
      .select({ token: accessTokens, plan: accounts.plan })
      .from(accessTokens)
      .innerJoin(accounts, and(eq(accounts.id, accessTokens.userId), eq(accounts.disabled, false)))
      .where(
        and(
          eq(accessTokens.token, sql.placeholder("digest")),
          isNull(accessTokens.revoked),
          sql`${accessTokens.expiresAt} > ${sql.placeholder("atMs")}`,
        ),
      ),
  );
  return {
    findGrants: (digests, at) =>
      guarded(() =>
        digests.map((digest) => {
          const row = byDigest().get({ digest, atMs: at.getTime() });
          if (!row) return undefined;
          const { id, userId: accountId, clientId, scopes, resources } = row.token;
          const lists = { scopes: parseTextList(scopes), resources: parseTextList(resources) };
          return { id, accountId, plan: row.plan, clientId, ...lists };
        }),
      ),
    listAssistants: (accountId, at) => guarded(() => selectAssistants(orm, accountId, at)),
    endAssistant: (accountId, assistantId, by) =>
      transact((log) => {
        const meant = and(eq(consents.id, assistantId), eq(consents.userId, accountId));
        const consent = orm.select().from(consents).where(meant).get();
        if (!consent) return false;
        endGrants(store, accountId, consent.clientId);
        log(by);
        return true;
      }),
  };
}

function selectAssistants(orm: Database["orm"], accountId: string, at: Date): AssistantRow[] {
  // A consent without a valid token is not a connection.
  const hasLiveToken = [accessTokens, refreshTokens].map((table) => {
    const ofConsent = and(eq(table.userId, consents.userId), eq(table.clientId, consents.clientId));
    const isLive = and(isNull(table.revoked), gt(table.expiresAt, at));
    return exists(orm.select({ one: sql`1` }).from(table).where(and(ofConsent, isLive)));
  });
  return orm
    .select({ consent: consents, client: clients })
    .from(consents)
    .innerJoin(clients, eq(clients.clientId, consents.clientId))
    .where(and(eq(consents.userId, accountId), or(...hasLiveToken)))
    .orderBy(asc(consents.createdAt), asc(consents.id))
    .all()
    .map(({ consent, client }) => ({
      id: consent.id,
      name: client.name ?? undefined,
      redirectUris: parseTextList(client.redirectUris),
      scopes: parseTextList(consent.scopes),
      connectedMs: consent.createdAt?.getTime() ?? 0,
      lastUsedMs: consent.lastUsedMs ?? undefined,
    }));
}

/** @package Lists are stored as JSON texts, as the library writes them. */
export function parseTextList(text: string | null): readonly string[] {
  return text === null ? [] : (JSON.parse(text) as string[]);
}

/** The statements of a charge that concern a grant. */
export function prepareGrantRows({ orm }: Database) {
  const { placeholder } = sql;
  return {
    grant: prepareOnce(() =>
      orm
        .select({
          accountId: accessTokens.userId,
          clientId: accessTokens.clientId,
          revoked: accessTokens.revoked,
          expiresAt: accessTokens.expiresAt,
          lastUsedMs: consents.lastUsedMs,
        })
        .from(accessTokens)
        // A token is valid only with the consent to its client; without one it is a leftover.
        .innerJoin(
          consents,
          and(
            eq(consents.userId, accessTokens.userId),
            eq(consents.clientId, accessTokens.clientId),
          ),
        )
        .where(eq(accessTokens.id, placeholder("id"))),
    ),
    touchConsent: prepareOnce(() =>
      orm
        .update(consents)
        .set({ lastUsedMs: sql`${placeholder("minute")}` })
        .where(
          and(
            eq(consents.userId, placeholder("accountId")),
            eq(consents.clientId, placeholder("clientId")),
          ),
        ),
    ),
  };
}
