/** The library's plugin for single sign-on, loaded only if a provider is configured. */
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
      ...describeProtocol(provider, publicUrl),
    })),
    // The operator named the domains, so they count as verified.
    domainVerification: { enabled: true },
    providersLimit: 0,
    organizationProvisioning: { disabled: true },
    saml: { requireTimestamps: true, algorithms: { onDeprecated: "reject" } },
  });
}

function describeProtocol({ id, protocol }: IdentityProvider, publicUrl: string) {
  if (protocol.kind === "oidc") {
    const { issuer, clientId, clientSecret } = protocol;
    const discoveryEndpoint = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const scopes = ["openid", "email", "profile"];
    return {
      oidcConfig: { issuer, clientId, clientSecret, discoveryEndpoint, scopes, pkce: true },
    };
  }
  const samlConfig = {
    // Our entity id at the identity provider is the URL of our metadata.
    issuer: `${publicUrl}/sso/saml2/sp/metadata?providerId=${id}`,
    entryPoint: "",
    idpMetadata: { metadata: protocol.metadata },
    wantAssertionsSigned: true,
    callbackUrl: publicUrl,
  };
  // A getter, since each response names its own attribute. Not enumerable, so the library does not copy its value.
  const mapping = { get: () => ({ email: emailAttribute.getStore() ?? "email" }) };
  return { samlConfig: Object.defineProperty(samlConfig, "mapping", mapping) };
}
