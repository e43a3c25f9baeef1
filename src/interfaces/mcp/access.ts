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
import { isLoopback } from "../../network/ip-address.ts";
import type { Modules, Operation } from "../../operations/operation.ts";
import { createRpcRefusal } from "./messages.ts";

/** Creates the 401 response. */
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
