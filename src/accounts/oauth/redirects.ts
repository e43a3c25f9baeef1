/** Redirect addresses. The browser brings an assistant's authorization response to such an address. */
import { isLoopback } from "../../network/ip-address.ts";

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
