/** Redirect addresses: where authorization responses to an assistant may go. */
import { isLoopback } from "../../network/ip-address.ts";

/**
 * Allows https, http on this machine with any port, or an address that the operator named in full: any program can
 * register any private scheme (RFC 8252, 7.1), so a scheme alone does not say which program gets the response.
 */
export function isRedirect(uri: unknown, privateRedirects: readonly string[]): uri is string {
  if (typeof uri !== "string" || uri.length > 2000 || !URL.canParse(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes("#") || username || password || hasControls(uri)) return false;
  const isHere = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  if (protocol === "http:") return isHere;
  return protocol === "https:" ? !isHere : privateRedirects.includes(uri);
}

/** Names the program that an address leads to, for people: its host, or the complete address if the scheme is a program's own. */
export function describeDestination(uri: string): string {
  if (!URL.canParse(uri)) return uri;
  const { protocol, host, pathname } = new URL(uri);
  if (/^https?:$/.test(protocol)) return host;
  return host ? `${protocol}//${host}${pathname}` : `${protocol}${pathname}`;
}

/** The same key for addresses that the authorization endpoint treats as equal: on this machine any port is allowed. */
export function toRedirectKey(uri: string): string {
  const url = new URL(uri);
  if (url.protocol === "http:" && isLoopback(url.hostname)) url.port = "";
  return url.href;
}

export function hasControls(text: string): boolean {
  // Control and format characters: a name must not be able to rearrange the page that shows it.
  return !text.isWellFormed() || /[\p{Cc}\p{Cf}]/u.test(text);
}
