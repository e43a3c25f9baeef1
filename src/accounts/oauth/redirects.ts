/** Where answers to an assistant may go. */
import { isLoopback } from "../../network/ip-address.ts";

/**
 * https, or a program on this machine by a free port, or one that the operator named in full: any program may take a
 * scheme of its own for itself (RFC 8252, 7.1), so a scheme alone says nothing about who gets the answer.
 */
export function isRedirect(uri: unknown, privateRedirects: readonly string[]): uri is string {
  if (typeof uri !== "string" || uri.length > 2000 || !URL.canParse(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes("#") || username || password || hasControls(uri)) return false;
  const isHere = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  if (protocol === "http:") return isHere;
  return protocol === "https:" ? !isHere : privateRedirects.includes(uri);
}

/** Of people, not of machines: a host as a browser would show it, or the whole of a private address. */
export function describeDestination(uri: string): string {
  if (!URL.canParse(uri)) return uri;
  const { protocol, host, pathname } = new URL(uri);
  if (/^https?:$/.test(protocol)) return host;
  return host ? `${protocol}//${host}${pathname}` : `${protocol}${pathname}`;
}

/** Alike for addresses that are one to the authorization endpoint: on this machine the port is free. */
export function toRedirectKey(uri: string): string {
  const url = new URL(uri);
  if (url.protocol === "http:" && isLoopback(url.hostname)) url.port = "";
  return url.href;
}

export function hasControls(text: string): boolean {
  // Control and format characters: a name must not be able to rearrange the page that shows it.
  return !text.isWellFormed() || /[\p{Cc}\p{Cf}]/u.test(text);
}
