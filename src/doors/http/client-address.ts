import { BlockList, isIP } from "node:net";

/** Who is at the other end, past the proxies that the operator named. */
export type ClientAddress = (request: Request, peer: string | undefined) => string | undefined;

/**
 * Read from the right, since each proxy appends whom it heard: the first that is no named proxy is the client.
 * What stands left of it is the client's own tale. Without named proxies the header is not looked at.
 */
export function openClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const network of trustedProxies) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return (request, peer) => {
    const socket = peer && plain(peer);
    if (socket === undefined || !isTrusted(socket)) return socket;
    const hops = request.headers.get("x-forwarded-for")?.split(",").reverse() ?? [];
    let nearest = socket;
    for (const hop of hops) {
      const address = plain(hop.trim());
      // A hop that is no address cannot be counted against anybody; whoever passed it on can.
      if (isIP(address) === 0) return nearest;
      nearest = address;
      if (!isTrusted(address)) return nearest;
    }
    return nearest;
  };
}

/** An IPv4 address on an IPv6 socket is that address; some proxies add a port. */
function plain(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1];
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1];
  return mapped ?? withPort ?? bracketed ?? address;
}
