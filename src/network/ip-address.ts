/** An IP address as a number. It is parsed here because `node:net` and `ipaddr.js` load too slowly for a fast start. */
interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** @returns undefined if the text is no address. An IPv6 address that contains an IPv4 address becomes the IPv4 address. */
export function parseIp(text: string): IpAddress | undefined {
  const four = parseIpv4(text);
  if (four !== undefined) return { family: 4, value: four };
  // A zone such as %eth0 is removed, because it names a network interface and no host.
  const groups = parseIpv6(text.replace(/%[\w.-]+$/, ""));
  if (!groups) return undefined;
  const value = joinBits(groups, 16n);
  const isMapped = value >> 32n === 0xffffn;
  return isMapped ? { family: 4, value: value & 0xffff_ffffn } : { family: 6, value };
}

function parseIpv4(text: string): bigint | undefined {
  const octets = text.split(".");
  const isOctet = (octet: string) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256;
  if (octets.length !== 4 || !octets.every(isOctet)) return undefined;
  return joinBits(octets.map(BigInt), 8n);
}

/** @returns the eight groups of an IPv6 address. `::` stands for one or more groups of zeros. */
function parseIpv6(text: string): readonly bigint[] | undefined {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return undefined;
  const left =
    head === "" && tail !== undefined ? [] : parseGroups(head.split(":"), tail === undefined);
  const right = tail === undefined || tail === "" ? [] : parseGroups(tail.split(":"), true);
  if (!left || !right) return undefined;
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  return [...left, ...Array.from({ length: missing }, () => 0n), ...right];
}

/** @param isLast whether these groups end the address. The last two groups of an address may be an IPv4 address. */
function parseGroups(groups: readonly string[], isLast: boolean): bigint[] | undefined {
  const four = isLast ? parseIpv4(groups.at(-1) ?? "") : undefined;
  const plain = four === undefined ? groups : groups.slice(0, -1);
  if (!plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  const values = plain.map((group) => BigInt(`0x${group}`));
  return four === undefined ? values : [...values, four >> 16n, four & 0xffffn];
}

interface IpNetwork extends IpAddress {
  readonly bits: number;
}

/** @returns undefined if the text is neither an address nor a network such as `10.0.0.0/8`. */
export function parseNetwork(text: string): IpNetwork | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  const ip = parseIp(address);
  const widest = ip?.family === 4 ? 32 : 128;
  const length = bits === undefined ? widest : Number(bits);
  const isNumber = bits === undefined || /^\d{1,3}$/.test(bits);
  if (!ip || rest.length > 0 || !isNumber || length > widest) return undefined;
  return { ...ip, bits: length };
}

/** @returns the key by which callers are counted. A caller usually has a whole /64 of IPv6, so its addresses share a key. */
export function toNetworkKey(address: string | undefined): string {
  const ip = address === undefined ? undefined : parseIp(address);
  if (!ip) return "unknown";
  return ip.family === 4 ? `4:${ip.value}` : `6:${ip.value >> 64n}`;
}

/** @returns the keys of a caller's networks, the widest first. For IPv6, the first key is the /48 of a whole site. */
export function listNetworkKeys(address: string | undefined): readonly string[] {
  const ip = address === undefined ? undefined : parseIp(address);
  const own = toNetworkKey(address);
  return ip?.family === 6 ? [`6/48:${ip.value >> 80n}`, own] : [own];
}

export function isWithin(ip: IpAddress, network: IpNetwork): boolean {
  if (ip.family !== network.family) return false;
  const open = BigInt((ip.family === 4 ? 32 : 128) - network.bits);
  return ip.value >> open === network.value >> open;
}

function joinBits(parts: readonly bigint[], width: bigint): bigint {
  return parts.reduce((value, part) => (value << width) | part, 0n);
}

/** Whether the host of a URL is this machine, as a name or as an address. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
