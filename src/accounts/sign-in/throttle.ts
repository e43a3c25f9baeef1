/**
 * Slows down guessing (ASVS 6.3.1) without locking anybody out: who guesses wrong is refused by address, so an
 * owner who comes from elsewhere gets in. Guessing from many addresses at once makes each further answer about
 * that account late instead, the owner's as well, by seconds.
 *
 * Counts live in memory: they speak of the last quarter of an hour, guesses in that time are few enough
 * whatever a restart forgets, and writing each wrong guess to the disk would hand strangers a lever.
 */

import { createWindowCounts } from "../../control/window-counts.ts";
import { toNetworkKey } from "../../network/ip-address.ts";

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

interface ThrottleOptions {
  readonly now: () => Date;
  /** Of one address, in one window. */
  readonly missesMax: number;
  readonly windowSeconds: number;
}

const accountMissesFree = 20;
const delayMsMax = 4_000;

export function createThrottle({ now, missesMax, windowSeconds }: ThrottleOptions): Throttle {
  const addresses = createWindowCounts(now, windowSeconds);
  const accounts = createWindowCounts(now, windowSeconds);
  return {
    take: (address) => {
      const network = toNetworkKey(address);
      if (addresses.add(network, 1).count <= missesMax) return undefined;
      return addresses.add(network, -1).leftSeconds;
    },
    giveBack: (address) => {
      addresses.add(toNetworkKey(address), -1);
    },
    miss: (account) => {
      const surplus = accounts.add(account, 1).count - accountMissesFree;
      return Math.max(0, Math.min(delayMsMax, surplus * 100));
    },
  };
}
