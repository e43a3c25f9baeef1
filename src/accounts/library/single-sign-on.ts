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
    // The library treats the domains in the settings as verified, since the operator named them.
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
    // Roster's entity id at the identity provider is the URL of Roster's metadata.
    issuer: `${publicUrl}/sso/saml2/sp/metadata?providerId=${id}`,
    entryPoint: "",
    idpMetadata: { metadata: protocol.metadata },
    wantAssertionsSigned: true,
    callbackUrl: publicUrl,
  };
  // A getter, because the attribute can differ in each response. Not enumerable, so that the library does not copy a value.
  const mapping = { get: () => ({ email: emailAttribute.getStore() ?? "email" }) };
  return { samlConfig: Object.defineProperty(samlConfig, "mapping", mapping) };
}
