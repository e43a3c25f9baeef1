import { and, eq, inArray, lt, notExists, sql } from "drizzle-orm";
import type { Statements } from "../../../postgres/database.ts";
import {
  accessTokens,
  clients,
  consents,
  links,
  refreshTokens,
  sessions,
  verifications,
} from "./sign-in-tables.ts";

/** Call inside a transaction. Ends an account's sessions, grants, codes and its link. */
export async function endAccess(statements: Statements, accountId: string): Promise<void> {
  await statements.delete(sessions).where(eq(sessions.userId, accountId));
  await statements.delete(links).where(eq(links.accountId, accountId));
  await endGrants(statements, accountId);
}

/** @package Call inside a transaction. @param clientId default: every client. */
export async function endGrants(
  statements: Statements,
  accountId: string,
  clientId?: string,
): Promise<void> {
  // The consent first: a token that is being made holds it, and is then deleted with the others.
  for (const table of [consents, accessTokens, refreshTokens]) {
    const ofClient = clientId === undefined ? undefined : eq(table.clientId, clientId);
    await statements.delete(table).where(and(eq(table.userId, accountId), ofClient));
  }
  // A code that was just issued could still be exchanged for a token.
  const { id, value } = verifications;
  const pending = await statements
    .select({ id, value })
    .from(verifications)
    .where(sql`position(${accountId} IN ${value}) > 0`);
  const ended = pending.filter((row) => isCodeOf(row.value, accountId, clientId));
  if (ended.length === 0) return;
  const ids = ended.map((row) => row.id);
  await statements.delete(verifications).where(inArray(id, ids));
}

function isCodeOf(value: string, accountId: string, clientId: string | undefined): boolean {
  try {
    const code = JSON.parse(value) as { userId?: unknown; query?: { client_id?: unknown } };
    return (
      code.userId === accountId && (clientId === undefined || code.query?.client_id === clientId)
    );
  } catch {
    return false;
  }
}

const dayMs = 86_400_000;
/** A client without any consent a day after its registration is unused. */
const unusedClientMs = dayMs;
/** Longer than any family of refresh tokens lives: its first row says when the family began. */
const refreshTokenMs = 100 * dayMs;

/** @package Call inside a transaction. Removes rows that can never be used again. */
export async function prune(statements: Statements, at: Date): Promise<void> {
  const before = (ms: number) => new Date(at.getTime() - ms);
  await statements.delete(sessions).where(lt(sessions.expiresAt, at));
  await statements.delete(verifications).where(lt(verifications.expiresAt, at));
  await statements.delete(links).where(lt(links.expiresMs, at.getTime()));
  await statements.delete(accessTokens).where(lt(accessTokens.expiresAt, at));
  await statements
    .update(refreshTokens)
    .set({ rotationReplayResponse: null, rotationReplayExpiresAt: null })
    .where(lt(refreshTokens.rotationReplayExpiresAt, at));
  await statements.delete(refreshTokens).where(lt(refreshTokens.createdAt, before(refreshTokenMs)));
  const consented = statements
    .select({ one: sql`1` })
    .from(consents)
    .where(eq(consents.clientId, clients.clientId));
  await statements
    .delete(clients)
    .where(
      and(
        eq(clients.isVerified, false),
        lt(clients.createdAt, before(unusedClientMs)),
        notExists(consented),
      ),
    );
}
