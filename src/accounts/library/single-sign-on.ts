/** The library's part of single sign-on, loaded only where a provider is configured. */
import type { BetterAuthPlugin } from "better-auth";
import type { IdentityProvider } from "../../contract/identity-provider.ts";
import { emailAttribute } from "../sign-in/saml-answer.ts";
import { sso } from "./better-auth-sso.mjs";

export function createSingleSignOn(
  providers: readonly IdentityProvider[],
  publicUrl: string,
): BetterAuthPlugin {
  return sso({
    defaultSSO: providers.map((provider) => ({
      providerId: provider.id,
      domain: provider.domains.join(","),
      ...protocolOf(provider, publicUrl),
    })),
    // The operator wrote the domains down, so they count as verified.
    domainVerification: { enabled: true },
    providersLimit: 0,
    organizationProvisioning: { disabled: true },
    saml: { requireTimestamps: true, algorithms: { onDeprecated: "reject" } },
  });
}

function protocolOf({ id, protocol }: IdentityProvider, publicUrl: string) {
  if (protocol.kind === "oidc") {
    const { issuer, clientId, clientSecret } = protocol;
    const discoveryEndpoint = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const scopes = ["openid", "email", "profile"];
    return {
      oidcConfig: { issuer, clientId, clientSecret, discoveryEndpoint, scopes, pkce: true },
    };
  }
  const samlConfig = {
    issuer: serviceProviderId(publicUrl, id),
    entryPoint: "",
    idpMetadata: { metadata: protocol.metadata },
    wantAssertionsSigned: true,
    callbackUrl: publicUrl,
  };
  // Of each answer by itself, and so nothing that the library could list and take for the provider's settings.
  const mapping = { get: () => ({ email: emailAttribute.getStore() ?? "email" }) };
  return { samlConfig: Object.defineProperty(samlConfig, "mapping", mapping) };
}

/** What the identity provider knows us by: the address of our metadata. */
function serviceProviderId(publicUrl: string, id: string): string {
  return `${publicUrl}/sso/saml2/sp/metadata?providerId=${id}`;
}
