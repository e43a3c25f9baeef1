import { getResourceUrl, scopes } from "./oauth.ts";

/** RFC 8414: exactly what is served here, of the much that the library could do. */
export function describeAuthorizationServer(publicUrl: string, allowRegistration: boolean) {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth2/authorize`,
    token_endpoint: `${publicUrl}/oauth2/token`,
    revocation_endpoint: `${publicUrl}/oauth2/revoke`,
    ...(allowRegistration ? { registration_endpoint: `${publicUrl}/oauth2/register` } : {}),
    scopes_supported: Object.keys(scopes),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${publicUrl}/docs`,
  };
}

/**
 * RFC 9728. Staying connected is between assistant and authorization server, so it is not named here.
 *
 * @param askedBy clients compare the resource with the address they called; the authorization server has one name.
 */
export function describeProtectedResource(publicUrl: string, askedBy: string) {
  return {
    resource: getResourceUrl(askedBy),
    authorization_servers: [publicUrl],
    scopes_supported: ["search", "profile"],
    bearer_methods_supported: ["header"],
    resource_name: "Roster",
    resource_documentation: `${publicUrl}/docs`,
  };
}
