/**
 * The authorization server for assistants (RFC 6749 as OAuth 2.1 has it, RFC 8414, 8707, 9207): the library's
 * provider with opaque access tokens, so that what is revoked is dead at the next look, and strict rotation.
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
    // There is one resource; a client that registered before the public address changed may ask for it as well.
    enforcePerClientResources: false,
    scopes: Object.keys(scopes),
    grantTypes: ["authorization_code", "refresh_token"],
    disableJwtPlugin: true,
    allowPublicClientPrelogin: true,
    accessTokenExpiresIn: lifetimes.accessTokenSeconds,
    refreshTokenExpiresIn: lifetimes.refreshTokenSeconds,
    // What is given again, and to whom, is decided before the library is asked (grants.ts).
    refreshTokenReuseInterval: 0,
    codeExpiresIn: lifetimes.authorizationSeconds,
    prefix: { opaqueAccessToken: accessTokenPrefix, refreshToken: refreshTokenPrefix },
  });
  // The two packages' types disagree about optional fields of the API description, which nobody reads here.
  return plugin as unknown as BetterAuthPlugin;
}
