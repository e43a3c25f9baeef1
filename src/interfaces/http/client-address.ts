import { isWithin, parseIp, parseNetwork } from "../../network/ip-address.ts";
import { socketPeer } from "./socket/listener.ts";

/**
 * Reads X-Forwarded-For from the right, because each proxy appends the address of its peer. The first address that is not a
 * trusted proxy is the client. Addresses to the left of it can be forged. The header is ignored if the peer is not a trusted
 * proxy.
 *
 * @param reportUnnamedProxy is called with each peer that sends forwarding headers and is not trusted.
 * @returns a function that finds the client's address; undefined for a request without a socket.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  reportUnnamedProxy: (peer: string) => void,
): (request: Request, peer: string | undefined) => string | undefined {
  const networks = trustedProxies.map((text) => {
    const network = parseNetwork(text);
    if (network) return network;
    throw new Error(`"${text}" is no network, though the settings were checked`);
  });
  const isTrusted = (address: string) => {
    // Every peer of a Unix socket is trusted: the permissions of the socket's file decide which programs may connect.
    if (address === socketPeer) return true;
    if (networks.length === 0) return false;
    const ip = parseIp(address);
    return ip !== undefined && networks.some((network) => isWithin(ip, network));
  };
  return (request, peer) => {
    const socket = peer && normaliseAddress(peer);
    if (socket === undefined) return undefined;
    if (!isTrusted(socket)) {
      if (forwardingHeaders.some((name) => request.headers.has(name))) reportUnnamedProxy(socket);
      return socket;
    }
    const hops = request.headers.get("x-forwarded-for")?.split(",").reverse() ?? [];
    let nearest = socket;
    for (const hop of hops) {
      const address = normaliseAddress(hop.trim());
      // An invalid address cannot be throttled, so the request counts for the proxy that sent the address.
      if (parseIp(address) === undefined) return nearest;
      nearest = address;
      if (!isTrusted(address)) return nearest;
    }
    return nearest;
  };
}

const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip"];

/**
 * Warns of proxies that are not configured. All clients of such a proxy share its address, so ten wrong passwords of one client
 * lock out all of them. The warning is logged at most once an hour, because any client can send these headers.
 */
export function warnOfUnnamedProxies(
  log: { warn(about: object, message: string): void },
  nowMs: () => number = Date.now,
): (peer: string) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (peer) => {
    if (nowMs() < quietUntil) return;
    quietUntil = nowMs() + hourMs;
    log.warn(
      { peer, setting: "trustedProxies" },
      "a peer that trustedProxies does not name sends forwarded headers: all its clients count as one",
    );
  };
}

const hourMs = 3_600_000;

/** Converts an IPv4 address that is mapped into IPv6, and drops the brackets and the port that some proxies add. */
function normaliseAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1];
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1];
  return mapped ?? withPort ?? bracketed ?? address;
}
