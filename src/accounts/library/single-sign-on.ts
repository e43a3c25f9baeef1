/** Configures the library's plugin for single sign-on. It is loaded only if a provider is configured. */
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
    // The domains count as verified, because the operator named them.
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
    // Roster's entity id is the URL of Roster's metadata.
    issuer: `${publicUrl}/sso/saml2/sp/metadata?providerId=${id}`,
    entryPoint: "",
    idpMetadata: { metadata: protocol.metadata },
    wantAssertionsSigned: true,
    callbackUrl: publicUrl,
  };
  // The attribute can differ in each response, so the library must call a getter each time.
  const mapping = { get: () => ({ email: emailAttribute.getStore() ?? "email" }) };
  return { samlConfig: Object.defineProperty(samlConfig, "mapping", mapping) };
}
