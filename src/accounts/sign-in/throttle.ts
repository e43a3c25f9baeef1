/**
 * Slows down guessing (ASVS 6.3.1) without locking anyone out: wrong guesses block their network, so an owner at
 * another address can still sign in. Guessing from many addresses at once delays each further answer about that
 * account by seconds instead, including the owner's.
 *
 * Counts are in memory: they cover short windows, guesses stay few even if a restart forgets them, and writing each
 * wrong guess to the disk would let strangers cause load.
 */

import { createWindowCounts } from "../../control/window-counts.ts";
import { toNetworkKey } from "../../network/ip-address.ts";

export interface Throttle {
  /**
   * Counts a guess before it is verified, so that parallel guesses gain nothing over sequential ones.
   * @returns whole seconds until this address may guess again; `undefined`: now.
   */
  take(address: string | undefined): number | undefined;
  /** The guess was right: it does not count. */
  giveBack(address: string | undefined): void;
  /** The guess was wrong. @returns by how many milliseconds to delay the answer. */
  miss(account: string): number;
}

interface ThrottleOptions {
  readonly now: () => Date;
  /** Per network, in one window. */
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
