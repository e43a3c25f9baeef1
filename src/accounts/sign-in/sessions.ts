import type { AuditAction } from "../../control/account-records.ts";
import { type Account, toAccount } from "../account-fields.ts";
import type { CookieLines, SignInDependencies } from "./sign-in-options.ts";
import { digestToken, lifetimes, readSessionToken } from "./tokens.ts";

export interface Visitor {
  readonly account: Account;
  readonly sessionId: string;
  readonly signedInAt: Date;
  /** Whether the user signed in during the last 10 minutes. Dangerous actions require this. */
  readonly isFresh: boolean;
  /** Whether the account has a password. Users who sign in only through a provider have none. */
  readonly hasPassword: boolean;
}

/** The shortest time between two updates of the time when a session was last used. */
const noteEveryMs = 60_000;

export function createSessions(context: SignInDependencies) {
  const { control, now, entry } = context;
  const store = control.signIn;
  return {
    /** @returns the signed-in user. Undefined means that the request has no valid session, or that the account is disabled. */
    visitor: async (request: Request): Promise<Visitor | undefined> => {
      const session = await findBrowserSession(context, request);
      if (!session) return undefined;
      const { account, id, createdMs } = session;
      return {
        account: toAccount(account),
        sessionId: id,
        signedInAt: new Date(createdMs),
        isFresh: now().getTime() - createdMs <= lifetimes.freshSeconds * 1000,
        hasPassword: (await store.findPassword(account.id)) !== undefined,
      };
    },
    signOut: async (request: Request): Promise<CookieLines> => {
      await endBrowserSession(context, request, "session.ended");
      return [context.cookie().removal];
    },
    /** Lists the sessions of the account, the most recently used first. */
    sessions: async ({ account, sessionId }: Visitor) =>
      (await store.listSessions(account.id, now())).map((session) => ({
        id: session.id,
        isThis: session.id === sessionId,
        userAgent: session.userAgent,
        address: session.address,
        createdAt: new Date(session.createdMs),
        lastSeenAt: new Date(session.lastSeenMs),
      })),
    /** @returns false if the account has no session with this id. */
    endSession: async ({ account }: Visitor, id: string) => {
      const by = entry("session.ended", account.id, { session: id });
      return (await store.endSessions(account.id, { id }, by)) > 0;
    },
    endOtherSessions: async ({ account, sessionId }: Visitor) => {
      await store.endSessions(
        account.id,
        { except: sessionId },
        entry("sessions.ended", account.id),
      );
    },
  };
}

/** Finds the session of a request, and records that the session was used. */
export async function findBrowserSession(
  { control, now, cookie }: SignInDependencies,
  request: Request,
) {
  const token = readSessionToken(request, cookie());
  const at = now();
  const session = token && (await control.signIn.findSession(digestToken(token), at));
  if (!session) return undefined;
  const endMs = session.createdMs + lifetimes.sessionSeconds * 1000;
  if (endMs <= at.getTime()) return undefined;
  // An open page sends such requests without the user, so they do not extend the session.
  const isByItself = request.headers.has("hx-request");
  if (!isByItself && at.getTime() - session.lastSeenMs >= noteEveryMs) {
    const idleEndMs = at.getTime() + lifetimes.sessionRestSeconds * 1000;
    const expiresAt = new Date(Math.min(idleEndMs, endMs));
    await control.signIn.noteSession(session.id, { at, expiresAt });
  }
  return session;
}

export async function endBrowserSession(
  context: SignInDependencies,
  request: Request,
  action: AuditAction,
): Promise<void> {
  const session = await findBrowserSession(context, request);
  if (!session) return;
  const { account, id } = session;
  await context.control.signIn.endSessions(
    account.id,
    { id },
    context.entry(action, account.id, { session: id }),
  );
}
