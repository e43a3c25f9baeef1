/**
 * The authorization server for assistants (RFC 6749 in its OAuth 2.1 form, RFC 8414, 8707, 9207): the library's
 * provider with opaque access tokens, so that a revoked one fails at its next use, and with strict rotation.
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
    // There is one resource; a client that registered before the public address changed may request it as well.
    enforcePerClientResources: false,
    scopes: Object.keys(scopes),
    grantTypes: ["authorization_code", "refresh_token"],
    disableJwtPlugin: true,
    allowPublicClientPrelogin: true,
    accessTokenExpiresIn: lifetimes.accessTokenSeconds,
    refreshTokenExpiresIn: lifetimes.refreshTokenSeconds,
    // grants.ts decides before the library is called which response is repeated, and to which client.
    refreshTokenReuseInterval: 0,
    codeExpiresIn: lifetimes.authorizationSeconds,
    prefix: { opaqueAccessToken: accessTokenPrefix, refreshToken: refreshTokenPrefix },
  });
  // The two packages' types disagree about optional fields of the API description, which is not used here.
  return plugin as unknown as BetterAuthPlugin;
}
