/** The part of @better-auth/sso that is used; better-auth-sso.mjs says why its own types are not. */
import type { BetterAuthPlugin } from "better-auth";

export function sso(options: {
  readonly defaultSSO: readonly {
    readonly providerId: string;
    readonly domain: string;
    readonly oidcConfig?: {
      readonly issuer: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly discoveryEndpoint: string;
      readonly scopes: readonly string[];
      readonly pkce: boolean;
    };
    readonly samlConfig?: {
      readonly issuer: string;
      readonly entryPoint: string;
      readonly callbackUrl: string;
      readonly wantAssertionsSigned: boolean;
      readonly idpMetadata: { readonly metadata: string };
    };
  }[];
  readonly domainVerification: { readonly enabled: boolean };
  readonly providersLimit: number;
  readonly organizationProvisioning: { readonly disabled: boolean };
  readonly saml: {
    readonly requireTimestamps: boolean;
    readonly algorithms: { readonly onDeprecated: "reject" };
  };
}): BetterAuthPlugin;
