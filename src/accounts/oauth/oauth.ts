/** Constants and addresses of the authorization server. They are here because the server itself loads slowly. */
import { isLoopback } from "../../network/ip-address.ts";

/** The scopes that an assistant may be granted. The text explains the scope to the user. */
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

/** The pages of the web interface to which the authorization server sends browsers. */
export const signInPagePaths = { signIn: "/sign-in", consent: "/consent" } as const;

/** The page that shows an OAuth error when the browser cannot return to the client. */
export const errorPath = "/oauth2/error";

/** The header that tells the library a client's IP address. Only Roster sets it: the header is dropped from clients' requests. */
export const addressHeader = "x-roster-client-address";

/** Returns the address of the MCP endpoint. All access tokens are issued for this address. */
export function getResourceUrl(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/** Whether assistants can sign in. They need https, or an address on this machine (RFC 6749, 3.1.2.1). */
export function canIssueTokens(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname);
}

export const httpsOnly =
  "assistants sign in over https only (or on this machine): set publicUrl to an https address, or use a key";

/** @returns where clients find the authorization server (RFC 9728). Undefined means that assistants cannot sign in. */
export function getResourceMetadataUrl(publicUrl: string, request: Request): string | undefined {
  if (!canIssueTokens(publicUrl)) return undefined;
  return `${getRequestedAddress(publicUrl, request)}/.well-known/oauth-protected-resource/mcp`;
}

/** @returns the public address. On this machine, it has the host name of the request, such as `127.0.0.1`. */
export function getRequestedAddress(publicUrl: string, request: Request): string {
  return isSameMachine(publicUrl, request.url) ? new URL(request.url).origin : publicUrl;
}

/** Converts the MCP endpoint's local address to the public address: `http://127.0.0.1/mcp` becomes `http://localhost/mcp`. */
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

/**
 * Allows https addresses, http addresses on this machine, and the private-scheme addresses that the operator named. The operator
 * names the whole address, because any program can register the same scheme (RFC 8252, 7.1).
 */
export function isRedirect(uri: unknown, privateRedirects: readonly string[]): uri is string {
  if (typeof uri !== "string" || uri.length > 2000 || !URL.canParse(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes("#") || username || password || hasControls(uri)) return false;
  const isHere = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  if (protocol === "http:") return isHere;
  return protocol === "https:" ? !isHere : privateRedirects.includes(uri);
}

/** Describes a redirect address for the consent page by its host. An address with a private scheme is shown in full. */
export function describeDestination(uri: string): string {
  if (!URL.canParse(uri)) return uri;
  const { protocol, host, pathname } = new URL(uri);
  if (/^https?:$/.test(protocol)) return host;
  return host ? `${protocol}//${host}${pathname}` : `${protocol}${pathname}`;
}

/** Converts a redirect address for comparison. The port is left out if the address is on this machine. */
export function toRedirectKey(uri: string): string {
  const url = new URL(uri);
  if (url.protocol === "http:" && isLoopback(url.hostname)) url.port = "";
  return url.href;
}

export function hasControls(text: string): boolean {
  // Control and format characters could hide text, or rearrange it on the page that shows it.
  return !text.isWellFormed() || /[\p{Cc}\p{Cf}]/u.test(text);
}
