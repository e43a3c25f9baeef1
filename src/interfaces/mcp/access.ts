/** Decides who may use the server's MCP endpoint. Refusals say how to sign in (RFC 6750, RFC 9728). */
import {
  findHeaderFault,
  getResourceMetadataUrl,
  httpsOnly,
  type Identity,
  isKey,
  readBearerCredentials,
  type SignIn,
} from "../../accounts/accounts.ts";
import { limits } from "../../contract/limits.ts";
import { Problem } from "../../contract/problem.ts";
import { isLoopback } from "../../network/ip-address.ts";
import { readJsonBody } from "../../network/request.ts";
import type { Modules, Operation } from "../../operations/operation.ts";

export function createUnauthorized(
  request: Request,
  { publicUrl, acceptsKeys }: { readonly publicUrl: string; readonly acceptsKeys: boolean },
): Response {
  const { headers } = request;
  const metadata = getResourceMetadataUrl(publicUrl, request);
  const methods = [
    metadata !== undefined && "sign in by browser (OAuth), as assistants do by themselves",
    acceptsKeys && 'send an API key as "Authorization: Bearer rst_..." or "X-Api-Key: rst_..."',
    // Says why browser sign-in is not offered.
    metadata === undefined && httpsOnly,
  ].filter(Boolean);
  const how = `${methods.join("; or ")}.`;
  if (!headers.has("authorization") && !headers.has("x-api-key")) {
    return challenge(401, `Not signed in: ${how}`, { resource_metadata: metadata });
  }
  const fault = findHeaderFault(headers);
  const error_description =
    fault === undefined
      ? "The token or key is unknown, expired or revoked"
      : fault === "twice"
        ? "The request has more than one token or key; send it once, in one header"
        : `The header ${fault} has no token or key; leave it out, because the other header was sent too`;
  const error = { error: "invalid_token", error_description };
  return challenge(401, `${error_description}: ${how}`, { ...error, resource_metadata: metadata });
}

/** Creates the 403 response. Its scope includes the scopes already granted, because the next token replaces the current token. */
export function createInsufficientScope(
  request: Request,
  { scope, name }: Operation,
  { scopes = [], publicUrl }: Identity & { readonly publicUrl: string },
): Response {
  const error_description = `${name} needs the scope ${scope}, which was not granted`;
  return challenge(403, `${error_description}: connect again and allow it.`, {
    error: "insufficient_scope",
    error_description,
    scope: [...new Set([...scopes, scope])].join(" "),
    resource_metadata: getResourceMetadataUrl(publicUrl, request),
  });
}

/** @param parameters are put in quotes without escaping, so no value may contain a quote. */
function challenge(
  status: number,
  message: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Response {
  const fields = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}="${value}"`,
  );
  const response = createRpcRefusal(status, message);
  response.headers.set("www-authenticate", ["Bearer", fields.join(", ")].join(" ").trim());
  return response;
}

export interface AccessRules {
  readonly modules: Pick<Modules, "accounts">;
  readonly signIn: Pick<SignIn, "authenticateToken">;
  readonly acceptsKeys: boolean;
}

/**
 * Authenticates the caller by an access token for this endpoint, or by an API key.
 * @returns undefined for wrong credentials, whatever is wrong with them (decision 27).
 */
export async function authenticateCredentials(
  headers: Headers,
  resource: string,
  { modules, signIn, acceptsKeys }: AccessRules,
): Promise<Identity | undefined> {
  const credentials = readBearerCredentials(headers);
  if (!credentials) return undefined;
  const { header, secret } = credentials;
  if (isKey(secret)) return acceptsKeys ? modules.accounts.authenticate(secret) : undefined;
  return header === "authorization" ? signIn.authenticateToken(secret, resource) : undefined;
}

/**
 * Prevents DNS rebinding, in which a page of another site points the site's host name at this machine. Such requests have the
 * foreign name in `Host` and `Origin`.
 * @returns why the request is refused; undefined if it is accepted.
 */
export function findHostRefusal(request: Request, publicUrl: string): string | undefined {
  const own = new URL(publicUrl);
  const { hostname } = new URL(request.url);
  if (!isNumericAddress(hostname) && !isLoopback(hostname) && hostname !== own.hostname) {
    return `the Host header must name ${own.host}, this server's public URL; --public-url sets another one`;
  }
  const origin = request.headers.get("origin");
  if (origin === null || origin === own.origin) return undefined;
  const isFromHere = URL.canParse(origin) && isLoopback(new URL(origin).hostname);
  if (isFromHere && isLoopback(hostname)) return undefined;
  return `the header Origin must be absent or ${own.origin}`;
}

/** Whether a host is an IP address as the URL parser writes it: `127.0.0.1` or `[::1]`. */
function isNumericAddress(hostname: string): boolean {
  return /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/.test(hostname);
}

/** Error codes of JSON-RPC 2.0. `server` is for all other refusals. */
const rpcCodes = { parse: -32700, invalidRequest: -32600, server: -32000 };

/**
 * Reads the message or the batch of messages of one POST.
 *
 * Refuses a batch in which two requests have the same id, because one answer would be lost. Drops notifications from a batch with
 * requests, because a notification could cancel a request of the same batch.
 */
export async function readMessages(
  request: Request,
): Promise<Response | { readonly messages: unknown }> {
  let body: unknown;
  try {
    body = await readJsonBody(request, limits.mcpBodyBytesMax);
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    return createRpcRefusal(thrown.status, thrown.message, rpcCodes.parse);
  }
  if (!Array.isArray(body)) return { messages: body };
  const requests = body.filter((message) => getId(message) !== undefined);
  const fault = findFault(body, requests);
  if (fault !== undefined) return createRpcRefusal(400, fault, rpcCodes.invalidRequest);
  return { messages: requests.length > 0 ? requests : body };
}

function findFault(batch: readonly unknown[], requests: readonly unknown[]): string | undefined {
  if (batch.length > limits.mcpBatchMax) {
    return `a batch must have at most ${limits.mcpBatchMax} messages, got ${batch.length}`;
  }
  const ids = new Set(requests.map(getId));
  return ids.size < requests.length
    ? "the requests of a batch must have ids of their own"
    : undefined;
}

function getId(message: unknown): unknown {
  const isRequest = typeof message === "object" && message !== null && "method" in message;
  return isRequest && "id" in message ? message.id : undefined;
}

/** @returns the names of the tools that the message or batch calls. */
export function listCalledTools(messages: unknown): ReadonlySet<unknown> {
  const calls = [messages].flat() as ({ method?: unknown; params?: { name?: unknown } } | null)[];
  const names = calls.map((each) =>
    each?.method === "tools/call" ? each.params?.name : undefined,
  );
  return new Set(names);
}

/** Creates a refusal of the whole POST. Its id is null, because it belongs to no single request. */
export function createRpcRefusal(
  status: number,
  message: string,
  code = rpcCodes.server,
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
