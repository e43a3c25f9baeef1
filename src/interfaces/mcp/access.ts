/** Who may use the hosted endpoint; a refusal says how to get in (RFC 6750, RFC 9728). */
import {
  getResourceMetadataUrl,
  httpsOnly,
  type Identity,
  isKey,
  readBearerCredentials,
} from "../../accounts/accounts.ts";
import { isLoopback } from "../../network/ip-address.ts";
import type { Modules, Operation } from "../../operations/operation.ts";
import { createRpcRefusal } from "./messages.ts";

interface WaysIn {
  readonly publicUrl: string;
  readonly acceptsKeys: boolean;
}

/** 401. No scope is named, so that the assistant may ask for all of them. */
export function createUnauthorized(request: Request, { publicUrl, acceptsKeys }: WaysIn): Response {
  const { headers } = request;
  const metadata = getResourceMetadataUrl(publicUrl, request);
  const ways = [
    metadata !== undefined && "sign in by browser (OAuth), as assistants do by themselves",
    acceptsKeys && 'send an API key as "Authorization: Bearer rst_..." or "X-Api-Key: rst_..."',
    // Where no browser sign-in can be, the one who configures the assistant is told why.
    metadata === undefined && httpsOnly,
  ].filter(Boolean);
  const how = `${ways.join("; or ") || "no way in is open here"}.`;
  if (!headers.has("authorization") && !headers.has("x-api-key")) {
    return challenge(401, `Not signed in: ${how}`, { resource_metadata: metadata });
  }
  const error_description = "The token or key is unknown, expired or revoked";
  const error = { error: "invalid_token", error_description };
  return challenge(401, `${error_description}: ${how}`, { ...error, resource_metadata: metadata });
}

/** 403. The scope names what the token has too: the next one replaces it. */
export function createInsufficientScope(
  request: Request,
  { scope, name }: Operation,
  { scopes = [], publicUrl }: Pick<Identity, "scopes"> & Pick<WaysIn, "publicUrl">,
): Response {
  const error_description = `${name} needs the scope ${scope}, which was not granted`;
  return challenge(403, `${error_description}: connect anew and allow it.`, {
    error: "insufficient_scope",
    error_description,
    scope: [...new Set([...scopes, scope])].join(" "),
    resource_metadata: getResourceMetadataUrl(publicUrl, request),
  });
}

/** @param parameters none of which has a quote in it. */
function challenge(
  status: number,
  message: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Response {
  const shown = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}="${value}"`,
  );
  const response = createRpcRefusal(status, message);
  response.headers.set("www-authenticate", ["Bearer", shown.join(", ")].join(" ").trim());
  return response;
}

/** The part of browser sign-in that this interface asks. */
export interface TokenAuthenticator {
  /**
   * Who gave an assistant this access token, if it was issued for `resource`.
   * @returns `undefined` for an unknown, expired or revoked token, and for one of another resource.
   */
  authenticateToken(token: string, resource: string): Promise<Identity | undefined>;
}

interface McpCredentials {
  readonly accounts: Modules["accounts"];
  readonly signIn: TokenAuthenticator;
  /** Whether an API key opens this endpoint too (decision 30). */
  readonly acceptsKeys: boolean;
}

/**
 * Who sends this request: the holder of a token of the browser sign-in, issued for this endpoint; or of an API key.
 *
 * @returns `undefined` for every cause alike, so that a guesser learns nothing (decision 27).
 */
export async function authenticateCredentials(
  headers: Headers,
  resource: string,
  { accounts, signIn, acceptsKeys }: McpCredentials,
): Promise<Identity | undefined> {
  const credentials = readBearerCredentials(headers);
  if (!credentials) return undefined;
  const { header, secret } = credentials;
  if (isKey(secret)) return acceptsKeys ? accounts.authenticate(secret) : undefined;
  return header === "authorization" ? signIn.authenticateToken(secret, resource) : undefined;
}

/**
 * Against DNS rebinding: a page of somebody else's that a browser on this network has open must not reach the
 * endpoint by giving its own name this machine's address. Such a page is told by its name in `Host` and by
 * its `Origin`. An address in digits cannot be rebound; assistants that are no browser send no `Origin`.
 *
 * @returns why the request is refused, or `undefined`.
 */
export function findHostRefusal(request: Request, publicUrl: string): string | undefined {
  const own = new URL(publicUrl);
  const host = new URL(request.url);
  if (!isDigits(host.hostname) && !isLoopback(host.hostname) && host.hostname !== own.hostname) {
    return `the Host header must name ${own.host}, this server's public URL; another one is set by --public-url`;
  }
  const origin = request.headers.get("origin");
  if (origin === null || origin === own.origin) return undefined;
  const isFromHere = URL.canParse(origin) && isLoopback(new URL(origin).hostname);
  if (isFromHere && isLoopback(host.hostname)) return undefined;
  return `the Origin must be absent or ${own.origin}`;
}

/** The URL parser has brought every spelling of an IPv4 address to four numbers, and IPv6 into brackets. */
function isDigits(hostname: string): boolean {
  return /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/.test(hostname);
}
