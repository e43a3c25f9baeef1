/**
 * Configures better-auth, which opens sessions, signs their cookies and is the authorization server. Roster checks passwords and
 * links itself. Import this file dynamically, because it loads slowly.
 */

import { mcp } from "@better-auth/mcp";
import type { BetterAuthOptions, BetterAuthPlugin, GenericEndpointContext } from "better-auth";
import { createAuthEndpoint, isAPIError } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { betterAuth } from "better-auth/minimal";
import type { IdentityProvider } from "../../contract/identity-provider.ts";
import { toEmailKey } from "../account-fields.ts";
import {
  accessTokenPrefix,
  addressHeader,
  canIssueTokens,
  errorPath,
  getResourceUrl,
  refreshTokenPrefix,
  scopes,
  signInPagePaths,
} from "../oauth/oauth.ts";
import { endBrowserSession } from "../sign-in/sessions.ts";
import type { SignInDependencies } from "../sign-in/sign-in-options.ts";
import { lifetimes } from "../sign-in/tokens.ts";
import {
  createNonces,
  createProviderAdmission,
  disabledCode,
  type ProviderAdmission,
} from "./provider-admission.ts";
import { createRecordsAdapter } from "./records-adapter.ts";

export type Library = Awaited<ReturnType<typeof openLibrary>>;

/** @param others additional plugins of the library, such as single sign-on. */
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
    // The authorization server uses the public address, because the simplest clients look for its metadata there.
    baseURL: publicUrl,
    basePath: new URL(publicUrl).pathname,
    secret: await store.secret(),
    database: createRecordsAdapter(store.records, now),
    trustedOrigins: [publicUrl, ...listIssuers(providers())].map((url) => new URL(url).origin),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: {
      level: "warn",
      // Only plain fields are logged. Other fields may contain the claims of a refused token.
      log: (level, message, ...detail) =>
        log[level === "error" ? "error" : "warn"](
          { detail: detail.map(toLogDetail) },
          String(message),
        ),
    },
    session: {
      // The cookie lasts this long. The stored session ends earlier if it is not used.
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
      // An API error is the fault of a caller, so it is not logged.
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

/** Converts a detail for the log. An error becomes its stack. Of an object, only the plain fields are kept. */
function toLogDetail(detail: unknown): unknown {
  if (typeof detail !== "object" || detail === null) return detail;
  if (detail instanceof Error) return detail.stack ?? String(detail);
  const isPlain = (value: unknown): boolean =>
    Array.isArray(value) ? value.every(isPlain) : Object(value) !== value;
  return Object.fromEntries(Object.entries(detail).filter(([, value]) => isPlain(value)));
}

/** Lists the addresses of OpenID Connect providers. If the library trusts them, they may be in a private network. */
function listIssuers(providers: readonly IdentityProvider[]): string[] {
  return providers.flatMap(({ protocol }) => (protocol.kind === "oidc" ? [protocol.issuer] : []));
}

/** Creates the hooks that the library calls before it stores a user, an account or a session. */
function createHooks(options: SignInDependencies, { admit, assertMayEnter }: ProviderAdmission) {
  const { control, entry } = options;
  const nonces = createNonces();
  // Roster does not need the tokens of a provider, so it stores none.
  const withoutTokens = async (
    account: { idToken?: unknown },
    ctx: GenericEndpointContext | null,
  ) => {
    nonces.check(account.idToken, ctx);
    return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
  };
  return {
    user: {
      // The library calls this at each sign-in through a provider. No other hook gets the provider's claims.
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
            // Ends the browser's earlier session.
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

/** Opens a session. HTTP requests cannot call this, because it has no path. @returns an undefined id for a disabled account. */
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

export function createAuthorizationServer(options: SignInDependencies): BetterAuthPlugin {
  const publicUrl = options.publicUrl();
  const plugin = mcp({
    loginPage: `${publicUrl}${signInPagePaths.signIn}`,
    consentPage: `${publicUrl}${signInPagePaths.consent}`,
    resource: getResourceUrl(publicUrl),
    // The resource in a client's registration is not compared, because it may contain an earlier public address.
    enforcePerClientResources: false,
    scopes: Object.keys(scopes),
    grantTypes: ["authorization_code", "refresh_token"],
    disableJwtPlugin: true,
    allowPublicClientPrelogin: true,
    accessTokenExpiresIn: lifetimes.accessTokenSeconds,
    refreshTokenExpiresIn: lifetimes.refreshTokenSeconds,
    // The library repeats no response. grants.ts repeats lost responses instead.
    refreshTokenReuseInterval: 0,
    codeExpiresIn: lifetimes.authorizationSeconds,
    prefix: { opaqueAccessToken: accessTokenPrefix, refreshToken: refreshTokenPrefix },
  });
  // The types of the two packages differ in optional fields that Roster does not use.
  return plugin as unknown as BetterAuthPlugin;
}
