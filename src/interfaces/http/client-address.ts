import { isWithin, parseIp, parseNetwork } from "../../network/ip-address.ts";
import { socketPeer } from "./socket/listener.ts";

/**
 * Creates a function that finds the client's address. It reads X-Forwarded-For from the right, because each proxy appends the
 * address of its peer. The first address that is not a trusted proxy is the client. Addresses further left can be forged.
 * @param reportUnnamedProxy is called with each untrusted peer that sends forwarding headers.
 * @returns a function; its result is undefined for a request without a socket.
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
    // Trusts every peer of a Unix socket, because the permissions of its file decide who may connect.
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
      // An invalid address cannot be throttled, so the proxy counts as the client.
      if (parseIp(address) === undefined) return nearest;
      nearest = address;
      if (!isTrusted(address)) return nearest;
    }
    return nearest;
  };
}

const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip"];

/**
 * Warns of proxies that are not configured, because all clients of such a proxy share one address and its limits. Warns at most
 * once an hour.
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

/** Removes brackets and port: `[2001:db8::1]:443` becomes `2001:db8::1`. Converts `::ffff:192.0.2.1` to `192.0.2.1`. */
function normaliseAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1];
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1];
  return mapped ?? withPort ?? bracketed ?? address;
}
