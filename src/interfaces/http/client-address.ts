import { isWithin, parseIp, parseNetwork } from "../../network/ip-address.ts";

/** Who is at the other end, past the proxies that the operator named. */
type ClientAddressReader = (request: Request, peer: string | undefined) => string | undefined;

/**
 * Read from the right, since each proxy appends its peer: the first that is no named proxy is the client.
 * What stands left of it is the client's own tale. From a peer that is no named proxy the header is not believed.
 *
 * @param hearUnnamedProxy hears of a peer that sends such headers all the same.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  hearUnnamedProxy: (peer: string) => void,
): ClientAddressReader {
  const networks = trustedProxies.map((text) => {
    const network = parseNetwork(text);
    if (network) return network;
    throw new Error(`"${text}" is no network; the settings let none such through`);
  });
  const isTrusted = (address: string) => {
    const ip = parseIp(address);
    return ip !== undefined && networks.some((network) => isWithin(ip, network));
  };
  return (request, peer) => {
    const socket = peer && plain(peer);
    if (socket === undefined) return undefined;
    if (!isTrusted(socket)) {
      if (forwardingHeaders.some((name) => request.headers.has(name))) hearUnnamedProxy(socket);
      return socket;
    }
    const hops = request.headers.get("x-forwarded-for")?.split(",").reverse() ?? [];
    let nearest = socket;
    for (const hop of hops) {
      const address = plain(hop.trim());
      // A hop that is no address cannot be counted against anybody; whoever passed it on can.
      if (parseIp(address) === undefined) return nearest;
      nearest = address;
      if (!isTrusted(address)) return nearest;
    }
    return nearest;
  };
}

const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip"];

/**
 * A proxy that nobody named makes one client of all who come through it: ten wrong passwords of one shut out all.
 * Whoever likes can send such headers, so the log hears of one an hour.
 */
export function warnOfUnnamedProxies(
  log: { warn(about: object, message: string): void },
  nowMs: () => number = Date.now,
): (peer: string) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (peer) => {
    if (nowMs() < quietUntil) return;
    quietUntil = nowMs() + hourMs;
    const setting = "trustedProxies";
    log.warn(
      { peer, setting },
      "forwarded headers of a peer that trustedProxies does not name: all its clients count as one",
    );
  };
}

const hourMs = 3_600_000;

/** An IPv4 address on an IPv6 socket is that address; some proxies add a port. */
function plain(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1];
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1];
  return mapped ?? withPort ?? bracketed ?? address;
}
