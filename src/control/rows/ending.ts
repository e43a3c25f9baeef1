import { and, eq, inArray, like, lt, notExists, sql } from "drizzle-orm";
import { tryParseJson } from "../../contract/foreign-json.ts";
import { execute, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { ControlTables } from "../tables/control-tables.ts";

/** @package Ends an account's sessions and grants, and removes its link. Call inside a transaction. */
export function* endAccess(queries: Queries, tables: ControlTables, accountId: string): Work<void> {
  const { sessions, links } = tables;
  yield* execute(queries.delete(sessions).where(eq(sessions.userId, accountId)));
  yield* execute(queries.delete(links).where(eq(links.accountId, accountId)));
  yield* endGrants(queries, tables, accountId);
}

/** @package Ends the grants to one client, or without `clientId` to every client. Call inside a transaction. */
export function* endGrants(
  queries: Queries,
  { consents, accessTokens, refreshTokens, verifications }: ControlTables,
  accountId: string,
  clientId?: string,
): Work<void> {
  // Deleting consents first waits for tokens that are just being created. Then these tokens can be deleted too.
  for (const table of [consents, accessTokens, refreshTokens]) {
    const ofClient = clientId === undefined ? undefined : eq(table.clientId, clientId);
    yield* execute(queries.delete(table).where(and(eq(table.userId, accountId), ofClient)));
  }
  // A code that was just issued could still be exchanged for a token, so it is deleted too.
  const { id, value } = verifications;
  const mayBeMeant = like(value, `%${accountId}%`);
  const pending = yield* fetchRows(
    queries.select({ id, value }).from(verifications).where(mayBeMeant),
  );
  const ended = pending.filter((row) => isCodeOf(row.value, accountId, clientId));
  const ids = ended.map((row) => row.id);
  if (ids.length > 0) yield* execute(queries.delete(verifications).where(inArray(id, ids)));
}

function isCodeOf(value: string, accountId: string, clientId: string | undefined): boolean {
  const code = tryParseJson<{ userId?: unknown; query?: { client_id?: unknown } } | null>(value);
  return (
    code?.userId === accountId && (clientId === undefined || code.query?.client_id === clientId)
  );
}

const dayMs = 86_400_000;
/** A client that registered itself is removed after this time if no account has consented to it. */
const unusedClientMs = dayMs;
/** How long refresh tokens are stored. They expire earlier. */
const refreshTokenMs = 100 * dayMs;

/** @package Removes rows that can never be used again. Call inside a transaction. */
export function* prune(queries: Queries, tables: ControlTables, at: Date): Work<void> {
  const { sessions, verifications, links, accessTokens, refreshTokens } = tables;
  const before = (ms: number) => new Date(at.getTime() - ms);
  yield* execute(queries.delete(sessions).where(lt(sessions.expiresAt, at)));
  yield* execute(queries.delete(verifications).where(lt(verifications.expiresAt, at)));
  yield* execute(queries.delete(links).where(lt(links.expiresMs, at.getTime())));
  yield* execute(queries.delete(accessTokens).where(lt(accessTokens.expiresAt, at)));
  const noAnswer = { rotationReplayResponse: null, rotationReplayExpiresAt: null };
  const isAnswerOver = lt(refreshTokens.rotationReplayExpiresAt, at);
  yield* execute(queries.update(refreshTokens).set(noAnswer).where(isAnswerOver));
  const isFamilyOver = lt(refreshTokens.createdAt, before(refreshTokenMs));
  yield* execute(queries.delete(refreshTokens).where(isFamilyOver));
  const { clients, consents } = tables;
  const consented = queries
    .select({ one: sql`1` })
    .from(consents)
    .where(eq(consents.clientId, clients.clientId));
  const isUnused = and(
    eq(clients.isVerified, false),
    lt(clients.createdAt, before(unusedClientMs)),
    notExists(consented),
  );
  yield* execute(queries.delete(clients).where(isUnused));
}
