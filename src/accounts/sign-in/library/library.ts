/**
 * better-auth, set up: it opens sessions, signs their cookies and is the authorization server. Imported only by
 * a dynamic import, since it takes longer to load than everything else together. Its own sign-up, sign-in and
 * profile routes are not served; passwords, links and throttling are ours.
 */
import { createAuthEndpoint, isAPIError } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { betterAuth } from "better-auth/minimal";
import type { SignInStore } from "../../../store/store.ts";
import { authorizationServer } from "../../oauth/authorization-server.ts";
import { errorPath } from "../../oauth/oauth.ts";
import { lifetimes } from "../tokens.ts";
import { recordsAdapter } from "./records-adapter.ts";
import type { SessionCookie } from "./session-cookie.ts";

export interface LibraryOptions {
  readonly store: SignInStore;
  readonly now: () => Date;
  readonly log: SignInLog;
  /** Where callers reach this; also the issuer. */
  readonly publicUrl: string;
  readonly cookie: SessionCookie;
  readonly allowRegistration: boolean;
}

export interface SignInLog {
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

export type Library = ReturnType<typeof openLibrary>;

export function openLibrary(options: LibraryOptions) {
  const { store, now, log, publicUrl, cookie } = options;
  return betterAuth({
    appName: "Roster",
    baseURL: publicUrl,
    // The issuer is the public address itself, which is where the simplest clients look for its metadata.
    basePath: "/",
    secret: store.secret(),
    database: recordsAdapter(store.records, now),
    trustedOrigins: [new URL(publicUrl).origin],
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: {
      level: "warn",
      log: (level, message, ...detail) =>
        log[level === "error" ? "error" : "warn"]({ detail: detail.map(String) }, message),
    },
    session: {
      // The cookie's life; the row's is shorter, and moves on with use.
      expiresIn: lifetimes.sessionSeconds,
      disableSessionRefresh: true,
    },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: cookie.prefix,
      defaultCookieAttributes: { secure: cookie.isSecure },
      ipAddress: { disableIpTracking: true },
    },
    onAPIError: {
      errorURL: `${publicUrl}${errorPath}`,
      // What callers did wrong is told to them; the rest is ours.
      onError: (err) => {
        if (!isAPIError(err)) log.error({ err }, "the sign-in library failed");
      },
    },
    plugins: [authorizationServer(options), { id: "roster", endpoints: { openSession } }],
  });
}

interface OpenSession {
  readonly accountId: string;
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
}

const sessionRequest = {
  method: "POST",
  metadata: { $Infer: { body: {} as OpenSession } },
} as const;

/** Without a path: only this program can call it, after it has looked at a password or a link. */
const openSession = createAuthEndpoint(sessionRequest, async (ctx) => {
  const { accountId, address, userAgent } = ctx.body;
  const { internalAdapter } = ctx.context;
  const user = await internalAdapter.findUserById(accountId);
  if (!user) throw new Error(`account ${accountId} has no user to open a session for`);
  const whence = { ipAddress: address ?? "", userAgent: userAgent?.slice(0, 300) ?? "" };
  const session = await internalAdapter.createSession(accountId, false, whence);
  await setSessionCookie(ctx, { session, user });
  return { id: session.id };
});
