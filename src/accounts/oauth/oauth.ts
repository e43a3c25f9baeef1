/** Words of the authorization server that doors and pages need without loading it. */
import { isLoopback } from "../../contract/http/loopback.ts";

/** What an assistant may be allowed, and what a person reads about it. */
export const scopes = {
  search: "Search developers",
  profile: "See and analyse single developers",
  offline_access: "Stay connected until you disconnect it",
} as const;

export type Scope = keyof typeof scopes;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/** Pages of the web door that the authorization server sends browsers to. */
export const pages = { signIn: "/sign-in", consent: "/consent" } as const;

/** Where a browser ends that cannot be sent back to whoever sent it. */
export const errorPath = "/oauth2/error";

/** How the library hears whence a request comes: set by us on each, never passed on from outside. */
export const addressHeader = "x-roster-client-address";

/** What tokens are for: the hosted MCP endpoint. */
export function resourceOf(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/** Where the one who sends this request learns how to sign in to `/mcp` (RFC 9728). */
export function resourceMetadataUrl(publicUrl: string, _request: Request): string | undefined {
  return `${publicUrl}/.well-known/oauth-protected-resource/mcp`;
}

/**
 * Whether assistants can be given tokens here: over https, or on this machine (RFC 6749, 3.1.2.1, and MCP's own
 * rule). On plain http elsewhere people sign in all the same, and assistants use a key.
 */
export function canGrant(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname);
}

/** For secret scanners: `\brst_at_[A-Za-z]{32}\b`, `\brst_rt_[A-Za-z]{32}\b`. */
export const accessTokenPrefix = "rst_at_";
export const refreshTokenPrefix = "rst_rt_";
