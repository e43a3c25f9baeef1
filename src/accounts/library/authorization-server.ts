/**
 * Configures the library's authorization server for assistants (OAuth 2.1; RFC 8414, 8707 and 9207). Its access tokens are
 * opaque, so that a revoked token fails at its next use.
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
    // A client may have registered under an earlier public address, so the resource in its registration is not compared.
    enforcePerClientResources: false,
    scopes: Object.keys(scopes),
    grantTypes: ["authorization_code", "refresh_token"],
    disableJwtPlugin: true,
    allowPublicClientPrelogin: true,
    accessTokenExpiresIn: lifetimes.accessTokenSeconds,
    refreshTokenExpiresIn: lifetimes.refreshTokenSeconds,
    // The library itself repeats no lost response, because grants.ts does so before it calls the library.
    refreshTokenReuseInterval: 0,
    codeExpiresIn: lifetimes.authorizationSeconds,
    prefix: { opaqueAccessToken: accessTokenPrefix, refreshToken: refreshTokenPrefix },
  });
  // The types of the two packages differ in optional fields of an API description, which Roster does not use.
  return plugin as unknown as BetterAuthPlugin;
}
