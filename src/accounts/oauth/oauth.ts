/** Constants and addresses of the authorization server that interfaces and pages need without loading it. */
import { isLoopback } from "../../network/ip-address.ts";

/** The scopes that an assistant may be granted, with the text that the user reads. */
export const scopes = {
  search:
    "Search developers, find people by name, account or published e-mail, and see who knows which code",
  profile: "See and analyse single developers, with the contact that they publish",
  offline_access: "Stay connected until you disconnect it",
} as const;

/** A refusal in the terms of the OAuth specifications. */
export interface OAuthRefusal {
  readonly ok: false;
  readonly error: string;
  readonly description: string;
  readonly retryAfterSeconds?: number;
}

export type OAuthScope = keyof typeof scopes;

export function isScope(text: string): text is OAuthScope {
  return Object.hasOwn(scopes, text);
}

/** Pages of the web interface that the authorization server sends browsers to. */
export const signInPagePaths = { signIn: "/sign-in", consent: "/consent" } as const;

/** The page for a browser that cannot be sent back to its client. */
export const errorPath = "/oauth2/error";

/** Passes the client's address to the library: set by us on each request, never taken from outside. */
export const addressHeader = "x-roster-client-address";

/** The resource of all tokens: the hosted MCP endpoint. */
export function getResourceUrl(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/**
 * Whether assistants can be given tokens here: over https, or on this machine (RFC 6749, 3.1.2.1, and MCP's own
 * rule). On plain http elsewhere people can still sign in, and assistants use a key.
 */
export function canIssueTokens(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname);
}

/** Why assistants cannot sign in on plain http. */
export const httpsOnly =
  "assistants sign in over https only (or on this machine): set publicUrl to an https address, or use a key";

/**
 * Where a refused request can find the authorization server (RFC 9728); `undefined` where assistants cannot sign in
 * and need a key.
 */
export function getResourceMetadataUrl(publicUrl: string, request: Request): string | undefined {
  if (!canIssueTokens(publicUrl)) return undefined;
  return `${getRequestedAddress(publicUrl, request)}/.well-known/oauth-protected-resource/mcp`;
}

/** The public address; on this machine, which has several names, the one in the request. */
export function getRequestedAddress(publicUrl: string, request: Request): string {
  return isSameMachine(publicUrl, request.url) ? new URL(request.url).origin : publicUrl;
}

/** Maps the MCP endpoint's address under any name of this machine to the one under the public address. */
export function toAudience(publicUrl: string, resource: string): string {
  const isMeant =
    isSameMachine(publicUrl, resource) && resource === getResourceUrl(new URL(resource).origin);
  return isMeant ? getResourceUrl(publicUrl) : resource;
}

function isSameMachine(publicUrl: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const [ours, theirs] = [new URL(publicUrl), new URL(url)];
  const isPlain = ours.protocol === "http:" && theirs.protocol === "http:";
  const isHere = isLoopback(ours.hostname) && isLoopback(theirs.hostname);
  return isPlain && isHere && ours.pathname === "/" && ours.port === theirs.port;
}

/** For secret scanners: `\brst_at_[A-Za-z]{32}\b`, `\brst_rt_[A-Za-z]{32}\b`. */
export const accessTokenPrefix = "rst_at_";
export const refreshTokenPrefix = "rst_rt_";
