/** Words of the authorization server that interfaces and pages need without loading it. */
import { isLoopback } from "../../network/ip-address.ts";

/** What an assistant may be allowed, and what a person reads about it. */
export const scopes = {
  search: "Search developers",
  profile: "See and analyse single developers",
  offline_access: "Stay connected until you disconnect it",
} as const;

/** A refusal as the OAuth specifications name them. */
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

/** Where a browser ends that cannot be sent back to whoever sent it. */
export const errorPath = "/oauth2/error";

/** How the library hears where a request comes: set by us on each, never passed on from outside. */
export const addressHeader = "x-roster-client-address";

/** What tokens are for: the hosted MCP endpoint. */
export function getResourceUrl(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/**
 * Whether assistants can be given tokens here: over https, or on this machine (RFC 6749, 3.1.2.1, and MCP's own
 * rule). On plain http elsewhere people sign in all the same, and assistants use a key.
 */
export function canIssueTokens(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname);
}

/** Why not, where not. */
export const httpsOnly =
  "assistants sign in over https only (or on this machine): set publicUrl to an https address, or use a key";

/**
 * Where a refused request is told to look for the authorization server (RFC 9728); `undefined` where no assistant can
 * sign in, and a key is the way.
 */
export function getResourceMetadataUrl(publicUrl: string, request: Request): string | undefined {
  if (!canIssueTokens(publicUrl)) return undefined;
  return `${getAddressAsked(publicUrl, request)}/.well-known/oauth-protected-resource/mcp`;
}

/** The public address; of this machine's several names the one that the request asked by. */
export function getAddressAsked(publicUrl: string, request: Request): string {
  return isSameMachine(publicUrl, request.url) ? new URL(request.url).origin : publicUrl;
}

/** The resource that is meant: the MCP endpoint has as many addresses as this machine has names for itself. */
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
