/**
 * Slows down guessing (ASVS 6.3.1) without locking anybody out: who guesses wrong is refused by address, so an
 * owner who comes from elsewhere gets in. Guessing from many addresses at once makes each further answer about
 * that account late instead, the owner's as well, by seconds.
 *
 * Counts live in memory: they speak of the last quarter of an hour, guesses in that time are few enough
 * whatever a restart forgets, and writing each wrong guess to the disk would hand strangers a lever.
 */
import { readIp } from "../../contract/http/ip-address.ts";

export interface Throttle {
  /**
   * Counts a guess before it is looked at, so that many at once get no further than one after the other.
   * @returns whole seconds until this address may guess again; `undefined`: now.
   */
  take(address: string | undefined): number | undefined;
  /** The guess was right: it does not count. */
  giveBack(address: string | undefined): void;
  /** The guess was wrong. @returns by how many milliseconds the answer should be late. */
  miss(account: string): number;
}

export interface ThrottleOptions {
  readonly now: () => Date;
  /** Of one address, in one window. */
  readonly missesMax: number;
  readonly windowSeconds: number;
}

/** Bounds the memory that a flood of addresses can take; the oldest go first. */
const namesMax = 100_000;
const accountMissesFree = 20;
const delayMsMax = 4_000;

export function openThrottle({ now, missesMax, windowSeconds }: ThrottleOptions): Throttle {
  const addresses = openCounts(now, windowSeconds);
  const accounts = openCounts(now, windowSeconds);
  return {
    take: (address) => {
      const network = networkOf(address);
      if (addresses.add(network, 1).count <= missesMax) return undefined;
      return addresses.add(network, -1).leftSeconds;
    },
    giveBack: (address) => {
      addresses.add(networkOf(address), -1);
    },
    miss: (account) => {
      const surplus = accounts.add(account, 1).count - accountMissesFree;
      return Math.max(0, Math.min(delayMsMax, surplus * 100));
    },
  };
}

/** Whoever has one IPv6 address has a whole /64 of them. */
export function networkOf(address: string | undefined): string {
  const ip = address === undefined ? undefined : readIp(address);
  if (!ip) return "unknown";
  return ip.family === 4 ? `4:${ip.value}` : `6:${ip.value >> 64n}`;
}

/** Counts by name, in windows that begin with the first count. */
function openCounts(now: () => Date, windowSeconds: number) {
  const counts = new Map<string, { count: number; readonly endsMs: number }>();
  const held = (name: string, nowMs: number) => {
    const known = counts.get(name);
    if (known && known.endsMs > nowMs) return known;
    const [oldest] = counts.keys();
    if (counts.size >= namesMax && oldest !== undefined) counts.delete(oldest);
    const fresh = { count: 0, endsMs: nowMs + windowSeconds * 1000 };
    // Deleted first, so that the map's order is that of the windows.
    counts.delete(name);
    counts.set(name, fresh);
    return fresh;
  };
  return {
    add: (name: string, by: number) => {
      const nowMs = now().getTime();
      const entry = held(name, nowMs);
      entry.count = Math.max(0, entry.count + by);
      return { count: entry.count, leftSeconds: Math.ceil((entry.endsMs - nowMs) / 1000) };
    },
  };
}
