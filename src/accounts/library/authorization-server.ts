/**
 * Configures the library's authorization server for assistants (OAuth 2.1; RFC 8414, 8707 and 9207). Access tokens are opaque:
 * after a revocation, the next use of the token fails.
 */
import { mcp } from "@better-auth/mcp";
import type { BetterAuthPlugin } from "better-auth";
import {
  accessTokenPrefix,
  getResourceUrl,
  refreshTokenPrefix,
  scopes,
  signInPagePaths,
} from "../oauth/oauth.ts";
import type { SignInDependencies } from "../sign-in/sign-in-options.ts";
import { lifetimes } from "../sign-in/tokens.ts";

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
