/** The routes of the authorization server and of single sign-on. The library's other routes are not served. */
import {
  addressHeader,
  canIssueTokens,
  getRequestedAddress,
  getResourceUrl,
  httpsOnly,
  type SignIn,
  scopes,
} from "../../accounts/accounts.ts";
import type { IdentityProvider } from "../../contract/identity-provider.ts";
import { Problem } from "../../contract/problem.ts";
import { readBody } from "../../network/request.ts";
import type { Route } from "../../network/route.ts";
import {
  answerAuthorize,
  answerRegister,
  answerRevoke,
  answerToken,
  createOAuthError,
  type OAuthCall,
  redirectBrowser,
} from "./oauth-endpoints.ts";
import { createJsonResponse } from "./responses.ts";

interface OAuthOptions {
  readonly signIn: SignIn;
  readonly publicUrl: () => string;
  readonly canRegister: boolean;
  readonly providers: () => readonly IdentityProvider[];
  readonly log: { error(detail: object, message: string): void };
}

type Endpoint = (call: OAuthCall, id?: string) => Response | Promise<Response>;

export function createOAuthRoutes(options: OAuthOptions): readonly Route[] {
  const { publicUrl, canRegister } = options;
  /** Answers only if a provider with this protocol, and with the id of the path, is configured. */
  const ofProvider = (kind: IdentityProvider["protocol"]["kind"], endpoint: Endpoint): Endpoint => {
    const has = (id?: string) =>
      options.providers().some((one) => one.protocol.kind === kind && one.id === (id ?? one.id));
    return (call, id) =>
      has(id) ? endpoint(call, id) : createOAuthError(404, "not_found", "no such provider");
  };
  const answer = async (endpoint: Endpoint, request: Request, address: string | undefined) => {
    try {
      const forward = createForward(options.signIn, request);
      const response = await endpoint({ ...options, request, address, forward });
      if (response.status < 500) return response;
      options.log.error({ status: response.status }, "the authorization server failed");
    } catch (err) {
      if (err instanceof Problem) {
        return createOAuthError(err.status, "invalid_request", err.message);
      }
      options.log.error({ err }, "the authorization server failed");
    }
    return createOAuthError(500, "server_error", "the request could not be answered");
  };
  const sameOrigin = (method: "GET" | "POST", path: string, endpoint: Endpoint): Route => ({
    path,
    methods: [method],
    handle: (request, { address }, { id } = {}) =>
      answer((call) => endpoint(call, id), request, address),
  });
  // Scripts of any origin may call these routes, because the routes use no cookies.
  const anyOrigin = (method: "GET" | "POST", path: string, endpoint: Endpoint): Route => {
    const handle: Route["handle"] = async (request, { address }) => {
      if (!canIssueTokens(publicUrl())) return createOAuthError(404, "not_found", httpsOnly);
      const isPreflight = request.method === "OPTIONS";
      const response = isPreflight ? preflight() : await answer(endpoint, request, address);
      response.headers.set("access-control-allow-origin", "*");
      return response;
    };
    return { path, methods: [method, "OPTIONS"], handle };
  };
  return [
    anyOrigin("GET", "/.well-known/oauth-protected-resource", describeProtectedResource),
    anyOrigin("GET", "/.well-known/oauth-protected-resource/mcp", describeProtectedResource),
    anyOrigin("GET", "/.well-known/oauth-authorization-server", () =>
      describeAuthorizationServer(publicUrl(), canRegister),
    ),
    sameOrigin("GET", "/oauth2/authorize", answerAuthorize),
    anyOrigin("POST", "/oauth2/token", answerToken),
    anyOrigin("POST", "/oauth2/revoke", answerRevoke),
    ...(canRegister ? [anyOrigin("POST", "/oauth2/register", answerRegister)] : []),
    sameOrigin("GET", "/sso/callback/:id", ofProvider("oidc", answerProviderReturn)),
    sameOrigin("POST", "/sso/saml2/sp/acs/:id", ofProvider("saml", takeAssertion)),
    sameOrigin("GET", "/sso/saml2/sp/metadata", ofProvider("saml", answerProviderReturn)),
  ];
}

/** Forwards requests to the library with only the headers that it needs. */
function createForward(signIn: SignIn, request: Request): OAuthCall["forward"] {
  return ({ search, body, hasCookie = false, address } = {}) => {
    const url = new URL(request.url);
    const headers = new Headers();
    const allowedHeaders = ["accept", "content-type", "authorization", "user-agent"];
    for (const name of hasCookie ? [...allowedHeaders, "cookie"] : allowedHeaders) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (address !== undefined) headers.set(addressHeader, address);
    return signIn.askLibrary(`${url.pathname}${search ?? url.search}`, { headers, body });
  };
}

function preflight(): Response {
  const headers = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
    "access-control-max-age": "600",
  };
  return new Response(null, { status: 204, headers });
}

/** Describes the authorization server (RFC 8414). Only what Roster serves is listed. */
function describeAuthorizationServer(publicUrl: string, canRegister: boolean): Response {
  return createJsonResponse(200, {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth2/authorize`,
    token_endpoint: `${publicUrl}/oauth2/token`,
    revocation_endpoint: `${publicUrl}/oauth2/revoke`,
    ...(canRegister ? { registration_endpoint: `${publicUrl}/oauth2/register` } : {}),
    scopes_supported: Object.keys(scopes),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${publicUrl}/docs`,
  });
}

/** Describes the protected resource (RFC 9728). Clients require that `resource` is the address that they called. */
function describeProtectedResource({ request, publicUrl }: OAuthCall): Response {
  return createJsonResponse(200, {
    resource: getResourceUrl(getRequestedAddress(publicUrl(), request)),
    authorization_servers: [publicUrl()],
    scopes_supported: ["search", "profile"],
    bearer_methods_supported: ["header"],
    resource_name: "Roster",
    resource_documentation: `${publicUrl()}/docs`,
  });
}

const answerProviderReturn: Endpoint = ({ forward, address }) =>
  forward({ hasCookie: true, address });

const assertionBytesMax = 256 * 1024;

/** Handles a SAML assertion. A browser sends no cookies with a form from another site, so none are forwarded. */
async function takeAssertion({ request, signIn, forward, address }: OAuthCall, id = "") {
  const body = new TextDecoder().decode(await readBody(request, assertionBytesMax));
  const answer = await signIn.takeSamlAnswer(id, body, () => forward({ body, address }));
  return answer instanceof Response ? answer : redirectBrowser(answer.location);
}
