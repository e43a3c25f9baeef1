/**
 * IP addresses and networks as numbers. Not by `node:net`, which takes longer to load than a start may; its
 * own functions are the oracle of the tests.
 */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** @returns `undefined` for what is no address. An IPv4 address mapped into IPv6 is that IPv4 address. */
export function readIp(text: string): IpAddress | undefined {
  const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1);
  if (octets) {
    const isOctet = (octet: string) => Number(octet) < 256 && String(Number(octet)) === octet;
    return octets.every(isOctet) ? { family: 4, value: joined(octets.map(BigInt), 8n) } : undefined;
  }
  // A zone, such as %eth0, says on which cable, not who. The address itself the URL parser knows to read.
  const plain = text.replace(/%[\w.-]+$/, "");
  const url = `http://[${plain}]/`;
  if (!/^[0-9a-f:.]+$/i.test(plain) || !URL.canParse(url)) return undefined;
  const [head = "", tail] = new URL(url).hostname.slice(1, -1).split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [left, right] = [groups(head), groups(tail ?? "")];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  const value = joined(
    [...left, ...zeros, ...right].map((group) => BigInt(`0x${group}`)),
    16n,
  );
  return value >> 32n === 0xffffn
    ? { family: 4, value: value & 0xffff_ffffn }
    : { family: 6, value };
}

export interface IpNetwork extends IpAddress {
  readonly bits: number;
}

/** @returns `undefined` for what is neither an address nor a network such as `10.0.0.0/8`. */
export function readNetwork(text: string): IpNetwork | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  const ip = readIp(address);
  const widest = ip?.family === 4 ? 32 : 128;
  const wanted = bits === undefined ? widest : Number(bits);
  const isNumber = bits === undefined || /^\d{1,3}$/.test(bits);
  if (!ip || rest.length > 0 || !isNumber || wanted > widest) return undefined;
  return { ...ip, bits: wanted };
}

export function isWithin(ip: IpAddress, network: IpNetwork): boolean {
  if (ip.family !== network.family) return false;
  const open = BigInt((ip.family === 4 ? 32 : 128) - network.bits);
  return ip.value >> open === network.value >> open;
}

function joined(parts: readonly bigint[], width: bigint): bigint {
  return parts.reduce((value, part) => (value << width) | part, 0n);
}
