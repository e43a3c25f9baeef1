/** The endpoints of the authorization server, as the OAuth specifications say what they take and answer. */
import {
  canIssueTokens,
  describeDestination,
  errorPath,
  httpsOnly,
  type OAuthRefusal,
  type SignIn,
} from "../../accounts/accounts.ts";
import { readBody } from "../../network/request.ts";
import { createJsonResponse } from "./responses.ts";

export interface OAuthCall {
  readonly signIn: SignIn;
  readonly publicUrl: () => string;
  readonly request: Request;
  readonly address: string | undefined;
  /** Asks the library the same, but for what is changed. */
  forward(change?: {
    readonly search?: string;
    readonly body?: string;
    readonly withCookie?: boolean;
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

/** Where an assistant sends its person's browser. */
export async function answerAuthorize(call: OAuthCall): Promise<Response> {
  const { request, signIn, forward } = call;
  const publicUrl = call.publicUrl();
  if (!canIssueTokens(publicUrl)) return createOAuthError(404, "not_found", httpsOnly);
  const { searchParams: query } = new URL(request.url);
  const clientId = query.get("client_id") ?? "";
  const client = await signIn.completeAuthorization(query);
  if (!client) return deadEnd({ error: "invalid_client", error_description: unknown });
  const response = await forward({ search: `?${query}`, withCookie: true });
  const location = response.headers.get("location");
  if (location === null || isOurs(location, publicUrl)) return response;
  const isTrusted = client.isVerified || (await signIn.hasConsented(request, clientId));
  return isTrusted ? response : heldBack(location);
}

const unknown =
  "no assistant is registered here with this client_id: take the server out where you added it, and add it anew";

const isOurs = (location: string, publicUrl: string) =>
  new URL(location, publicUrl).origin === new URL(publicUrl).origin;

/**
 * An error of a client that nobody approved is told here and not to the client: whoever can register an address
 * could else send people there under our name (RFC 9700, 4.11.2).
 */
function heldBack(location: string): Response {
  const { searchParams: said } = new URL(location);
  const words = (name: string) => said.get(name) ?? "";
  return deadEnd({
    error: words("error"),
    error_description: words("error_description"),
    destination: describeDestination(location),
  });
}

function deadEnd(words: Record<string, string>): Response {
  return redirectBrowser(`${errorPath}?${new URLSearchParams(words)}`);
}

/** RFC 6749, 3.2. */
export async function answerToken(call: OAuthCall): Promise<Response> {
  const { signIn, forward } = call;
  const form = await readForm(call);
  if (form instanceof Response) return form;
  // Whoever asks twice for one thing could be heard differently here and by the library.
  const names = [...form.keys()].filter((name) => name !== "resource");
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) return createOAuthError(400, "invalid_request", `${twice} must be given once`);
  const clientId = form.get("client_id");
  if (clientId && !(await signIn.isClient(clientId))) {
    const description = "no client is registered here with this client_id; register again";
    return createOAuthError(401, "invalid_client", description);
  }
  const answer = await signIn.redeemGrant(form, async () =>
    inGrantsWords(await forward({ body: form.toString() })),
  );
  if (answer instanceof Response) return answer;
  if (!answer.ok) return toResponse(answer);
  return new Response(answer.text, { headers: { "content-type": "application/json" } });
}

/** What is wrong with a code or its proof is one error to clients (RFC 6749, 5.2; RFC 7636, 4.6). */
async function inGrantsWords(response: Response): Promise<Response> {
  if (response.status !== 400 && response.status !== 401) return response;
  const said = (await response.clone().json()) as Record<string, string>;
  const { error = "", error_description: description = "" } = said;
  const isGrants =
    error === "invalid_user" ||
    (response.status === 401 && error === "invalid_request") ||
    ["session no longer exists", "user not found"].includes(description);
  return isGrants ? createOAuthError(400, "invalid_grant", description) : response;
}

/** A token that is unknown, or dead already, is revoked as well as can be (RFC 7009, 2.2); the library says 400. */
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

/** RFC 7591: answers what is left of what the client asked for (3.2.1). */
export async function answerRegister({ request, signIn, address }: OAuthCall): Promise<Response> {
  const outcome = await signIn.registerClient(parsed(await readText(request)), address);
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toResponse({ error, description, retryAfterSeconds }: OAuthRefusal): Response {
  if (retryAfterSeconds === undefined) return createOAuthError(400, error, description);
  const response = createOAuthError(429, error, description);
  response.headers.set("retry-after", String(retryAfterSeconds));
  return response;
}
