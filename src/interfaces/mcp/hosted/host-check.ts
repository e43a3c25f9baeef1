/**
 * Against DNS rebinding: a page of somebody else's that a browser on this network has open must not reach the
 * endpoint by giving its own name this machine's address. Such a page is told by its name in `Host` and by
 * its `Origin`. An address in digits cannot be rebound; assistants that are no browser send no `Origin`.
 */
import { isLoopback } from "../../../network/ip-address.ts";

/** @returns why the request is refused, or `undefined`. */
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
