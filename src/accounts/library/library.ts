/**
 * Configures better-auth: it opens sessions, signs their cookies and is the authorization server. Always imported
 * dynamically, since it takes longer to load than everything else together. Its own sign-up, sign-in and profile
 * routes are not served; passwords, links and throttling are ours.
 */
import type { BetterAuthOptions, BetterAuthPlugin, GenericEndpointContext } from "better-auth";
import { createAuthEndpoint, isAPIError } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { betterAuth } from "better-auth/minimal";
import { toEmailKey } from "../account-fields.ts";
import { addressHeader, canIssueTokens, errorPath } from "../oauth/oauth.ts";
import { endBrowserSession } from "../sign-in/sessions.ts";
import type { SignInDependencies } from "../sign-in/sign-in-options.ts";
import { lifetimes } from "../sign-in/tokens.ts";
import { createAuthorizationServer } from "./authorization-server.ts";
import {
  createNonces,
  createProviderAdmission,
  disabledCode,
  type ProviderAdmission,
} from "./provider-admission.ts";
import { createRecordsAdapter } from "./records-adapter.ts";

export type Library = Awaited<ReturnType<typeof openLibrary>>;

/** @param others plugins that only some installations need. */
export async function openLibrary(
  options: SignInDependencies,
  others: readonly BetterAuthPlugin[],
) {
  const { control, now, log, providers } = options;
  const publicUrl = options.publicUrl();
  const cookie = options.cookie();
  const store = control.signIn;
  const admission = createProviderAdmission(options);
  return betterAuth({
    appName: "Roster",
    // The issuer is the public address itself, where the simplest clients look for its metadata.
    baseURL: publicUrl,
    basePath: new URL(publicUrl).pathname,
    secret: await store.secret(),
    database: createRecordsAdapter(store.records, now),
    trustedOrigins: [publicUrl, ...listIssuers(providers)].map((url) => new URL(url).origin),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: {
      level: "warn",
      // A message may be an error that contains the claims of a refused token.
      log: (level, message, ...detail) =>
        log[level === "error" ? "error" : "warn"](
          { detail: detail.map(toLogDetail) },
          String(message),
        ),
    },
    session: {
      // The cookie's lifetime; the row's is shorter, and is extended with use.
      expiresIn: lifetimes.sessionSeconds,
      disableSessionRefresh: true,
    },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: cookie.prefix,
      defaultCookieAttributes: { secure: cookie.isSecure, path: cookie.path },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    onAPIError: {
      errorURL: `${publicUrl}${errorPath}`,
      // Callers get errors of their own as an answer. Other errors are Roster's.
      onError: (err) => {
        if (!isAPIError(err)) log.error({ err }, "the sign-in library failed");
      },
    },
    ...createHooks(options, admission),
    plugins: [
      ...(canIssueTokens(publicUrl) ? [createAuthorizationServer(options)] : []),
      { id: "roster", endpoints: { openSession } },
      ...others,
    ],
  });
}

/** Converts a detail for the log: an error to its stack, an object to its plain fields. */
function toLogDetail(detail: unknown): unknown {
  if (typeof detail !== "object" || detail === null) return detail;
  if (detail instanceof Error) return detail.stack ?? String(detail);
  const isPlain = (value: unknown): boolean =>
    Array.isArray(value) ? value.every(isPlain) : Object(value) !== value;
  return Object.fromEntries(Object.entries(detail).filter(([, value]) => isPlain(value)));
}

/** The library contacts a provider on the installation's own network only if its origin is trusted. */
function listIssuers(providers: SignInDependencies["providers"]): string[] {
  return providers.flatMap(({ protocol }) => (protocol.kind === "oidc" ? [protocol.issuer] : []));
}

/** The hooks that every sign-in through a provider passes. */
function createHooks(options: SignInDependencies, { admit, assertMayEnter }: ProviderAdmission) {
  const { control, entry } = options;
  // The provider's own tokens are of no use to us, and none is stored.
  const nonces = createNonces();
  const withoutTokens = async (
    account: { idToken?: unknown },
    ctx: GenericEndpointContext | null,
  ) => {
    nonces.check(account.idToken, ctx);
    return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
  };
  return {
    user: {
      // The one step that sees the claims before the user is made.
      validateUserInfo: ({ user, source }) =>
        admit({
          accountId: user.id as string | undefined,
          providerId: source.sso?.providerId,
          email: user.email,
          claims: source.sso?.profile ?? {},
          isFirst: source.action === "create-user",
        }),
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => {
            const account = await control.findAccountByEmail(toEmailKey(user.email));
            if (!account) throw new Error("the library created a user that was not admitted");
            return { data: { ...user, id: account.id, name: account.email, emailVerified: true } };
          },
        },
      },
      account: { create: { before: withoutTokens }, update: { before: withoutTokens } },
      session: {
        create: {
          before: async ({ userId }, ctx) => {
            nonces.assertChecked(ctx);
            await assertMayEnter(userId);
          },
          after: async ({ id, userId, ipAddress }, ctx) => {
            if (!ctx?.path?.startsWith("/sso/")) return;
            const detail = { session: id, address: ipAddress || null, by: "provider" };
            await control.record(entry("session.opened", userId, detail));
            // The browser's earlier session ends, as when signing in with a password.
            if (ctx.request) await endBrowserSession(options, ctx.request, "session.replaced");
          },
        },
      },
    },
  } satisfies Pick<BetterAuthOptions, "user" | "databaseHooks">;
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

/**
 * Opens a session; returns no id when the account was disabled meanwhile.
 *
 * Has no path: only this program can call it, after it has verified a password or a link.
 */
const openSession = createAuthEndpoint(sessionRequest, async (ctx) => {
  const { accountId, address, userAgent } = ctx.body;
  const { internalAdapter } = ctx.context;
  const user = await internalAdapter.findUserById(accountId);
  if (!user) throw new Error(`account ${accountId} has no user to open a session for`);
  const origin = { ipAddress: address ?? "", userAgent: userAgent?.slice(0, 300) ?? "" };
  const session = await internalAdapter
    .createSession(accountId, false, origin)
    .catch((error: unknown) => {
      if (isAPIError(error) && error.body?.code === disabledCode) return undefined;
      throw error;
    });
  if (!session) return { id: undefined };
  await setSessionCookie(ctx, { session, user });
  return { id: session.id };
});
