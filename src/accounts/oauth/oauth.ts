/** Constants and addresses of the authorization server, for code that does not load the server itself. */
import { isLoopback } from "../../network/ip-address.ts";

/** The scopes that an assistant may be granted, with the text that the user reads. */
export const scopes = {
  search:
    "Search developers, find people by name, account or published e-mail, and see who knows which code",
  profile: "See and analyse single developers, with the contact that they publish",
  offline_access: "Stay connected until you disconnect it",
} as const;

/** A refusal with an error code of the OAuth specifications. */
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

/** The page that shows an OAuth error if the browser cannot be sent back to the client. */
export const errorPath = "/oauth2/error";

/** The header with which Roster passes a client's IP address to the library. Headers of this name from clients are dropped. */
export const addressHeader = "x-roster-client-address";

/** The address of the MCP endpoint, for which all access tokens are issued. */
export function getResourceUrl(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/** Whether assistants can sign in: only over https or on this machine (RFC 6749, 3.1.2.1). Otherwise they need a key. */
export function canIssueTokens(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname);
}

export const httpsOnly =
  "assistants sign in over https only (or on this machine): set publicUrl to an https address, or use a key";

/** @returns where refused clients find the authorization server (RFC 9728); undefined where assistants cannot sign in. */
export function getResourceMetadataUrl(publicUrl: string, request: Request): string | undefined {
  if (!canIssueTokens(publicUrl)) return undefined;
  return `${getRequestedAddress(publicUrl, request)}/.well-known/oauth-protected-resource/mcp`;
}

/** @returns the public address. If it is on this machine, it gets the name in the request, such as 127.0.0.1 for localhost. */
export function getRequestedAddress(publicUrl: string, request: Request): string {
  return isSameMachine(publicUrl, request.url) ? new URL(request.url).origin : publicUrl;
}

/** Converts the MCP endpoint's address under another name of this machine to the address that tokens are issued for. */
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

/** Secret scanners can use the patterns `\brst_at_[A-Za-z]{32}\b` and `\brst_rt_[A-Za-z]{32}\b`. */
export const accessTokenPrefix = "rst_at_";
export const refreshTokenPrefix = "rst_rt_";
