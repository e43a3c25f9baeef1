import {
  canIssueTokens,
  describeDestination,
  errorPath,
  httpsOnly,
  type OAuthRefusal,
  type SignIn,
} from "../../accounts/accounts.ts";
import { tryParseJson } from "../../contract/foreign-json.ts";
import { getBasePath } from "../../network/public-url.ts";
import { readBody } from "../../network/request.ts";
import { createJsonResponse } from "./responses.ts";

export interface OAuthCall {
  readonly signIn: SignIn;
  readonly publicUrl: () => string;
  readonly request: Request;
  readonly address: string | undefined;
  /** Forwards the request to the OAuth library, with these parts replaced. */
  forward(change?: {
    readonly search?: string;
    readonly body?: string;
    readonly hasCookie?: boolean;
    readonly address?: string | undefined;
  }): Promise<Response>;
}

const bodyBytesMax = 16 * 1024;
const formType = "application/x-www-form-urlencoded";

export function createOAuthError(status: number, error: string, description: string): Response {
  return createJsonResponse(status, { error, error_description: description });
}

export function redirectBrowser(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}

/** The authorization endpoint. An assistant sends the user's browser here. */
export async function answerAuthorize(call: OAuthCall): Promise<Response> {
  const { request, signIn, forward } = call;
  const publicUrl = call.publicUrl();
  if (!canIssueTokens(publicUrl)) return createOAuthError(404, "not_found", httpsOnly);
  const { searchParams: query } = new URL(request.url);
  const clientId = query.get("client_id") ?? "";
  const client = await signIn.completeAuthorization(query);
  if (!client)
    return redirectToError({ error: "invalid_client", error_description: unknownClient });
  const response = await forward({ search: `?${query}`, hasCookie: true });
  const location = response.headers.get("location");
  if (location === null || isOurs(location, publicUrl)) return response;
  const isTrusted = client.isVerified || (await signIn.hasConsented(request, clientId));
  return isTrusted ? response : withholdError(location);
}

const unknownClient =
  "no assistant is registered here with this client_id: remove this server from the assistant, and add it again";

/** Whether an address is below the public URL. Other services may use the rest of the host. */
const isOurs = (location: string, publicUrl: string) =>
  new URL(location, publicUrl).href.startsWith(
    `${new URL(publicUrl).origin}${getBasePath(publicUrl)}/`,
  );

/**
 * Shows an error on Roster's own page instead of redirecting to a client that the user has not approved. Otherwise a link to
 * Roster could lead users to any site (RFC 9700, 4.11.2).
 */
function withholdError(location: string): Response {
  const { searchParams } = new URL(location);
  return redirectToError({
    error: searchParams.get("error") ?? "",
    error_description: searchParams.get("error_description") ?? "",
    destination: describeDestination(location),
  });
}

function redirectToError(error: Record<string, string>): Response {
  return redirectBrowser(`${errorPath}?${new URLSearchParams(error)}`);
}

/** The token endpoint (RFC 6749, 3.2). */
export async function answerToken(call: OAuthCall): Promise<Response> {
  const { signIn, forward } = call;
  const form = await readForm(call);
  if (form instanceof Response) return form;
  // Refuses repeated parameters, because this function and the library could read different values.
  const names = [...form.keys()].filter((name) => name !== "resource");
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated) return createOAuthError(400, "invalid_request", `${repeated} must be given once`);
  const clientId = form.get("client_id");
  if (clientId && !(await signIn.isClient(clientId))) {
    const description = "no client is registered here with this client_id; register again";
    return createOAuthError(401, "invalid_client", description);
  }
  const answer = await signIn.redeemGrant(form, async () =>
    toGrantError(await forward({ body: form.toString() })),
  );
  if (answer instanceof Response) return answer;
  if (!answer.ok) return toResponse(answer);
  return new Response(answer.text, { headers: { "content-type": "application/json" } });
}

/** For a wrong authorization code or code verifier, replaces the library's error by `invalid_grant` (RFC 6749, 5.2). */
async function toGrantError(response: Response): Promise<Response> {
  if (response.status !== 400 && response.status !== 401) return response;
  const body = (await response.clone().json()) as Record<string, string>;
  const { error = "", error_description: description = "" } = body;
  const isGrantFault =
    error === "invalid_user" ||
    (response.status === 401 && error === "invalid_request") ||
    ["session no longer exists", "user not found"].includes(description);
  return isGrantFault ? createOAuthError(400, "invalid_grant", description) : response;
}

/** The revocation endpoint. An unknown token gets 200 (RFC 7009, 2.2), although the library answers 400. */
export async function answerRevoke(call: OAuthCall): Promise<Response> {
  const form = await readForm(call);
  if (form instanceof Response) return form;
  if (await call.signIn.revokeToken(form)) return new Response(null);
  const response = await call.forward({ body: form.toString() });
  const isWellFormed = form.get("token") && form.get("client_id");
  return response.status === 400 && isWellFormed ? new Response(null) : response;
}

async function readForm({ request }: OAuthCall): Promise<URLSearchParams | Response> {
  const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  if (type.trim() !== formType) return createOAuthError(415, "invalid_request", `send ${formType}`);
  return new URLSearchParams(await readText(request));
}

async function readText(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBody(request, bodyBytesMax));
}

/** The endpoint of dynamic client registration. It answers with the registered metadata (RFC 7591, 3.2.1). */
export async function answerRegister({ request, signIn, address }: OAuthCall): Promise<Response> {
  const outcome = await signIn.registerClient(tryParseJson(await readText(request)), address);
  if (!outcome.ok) return toResponse(outcome);
  const { client, at } = outcome;
  return createJsonResponse(201, {
    client_id: client.clientId,
    client_id_issued_at: Math.floor(at.getTime() / 1000),
    client_name: client.name,
    client_uri: client.uri,
    software_id: client.softwareId,
    software_version: client.softwareVersion,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: client.scopes.join(" "),
  });
}

function toResponse({ error, description, retryAfterSeconds }: OAuthRefusal): Response {
  if (retryAfterSeconds === undefined) return createOAuthError(400, error, description);
  const response = createOAuthError(429, error, description);
  response.headers.set("retry-after", String(retryAfterSeconds));
  return response;
}
