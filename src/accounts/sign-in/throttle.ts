/**
 * Slows down guessing (ASVS 6.3.1) without locking anyone out: wrong guesses block their network, so an owner at
 * another address can still sign in, and so can one in the same network, in a browser that is known. Guessing from many
 * addresses at once delays each further answer about that account by seconds instead, including the owner's.
 *
 * Counts are in memory: they cover short windows, guesses stay few even if a restart forgets them, and writing each
 * wrong guess to the disk would let strangers cause load.
 */

import { createWindowCounts } from "../../control/window-counts.ts";
import { listNetworkKeys } from "../../network/ip-address.ts";

/** Where a guess comes from, as far as it is known. */
interface Guesser {
  readonly address: string | undefined;
  /** A known browser: its guesses are counted apart from those of its network. */
  readonly browser?: string | undefined;
}

export type Throttle = ReturnType<typeof createThrottle>;

interface ThrottleOptions {
  readonly now: () => Date;
  /** Per network, or known browser, in one window. */
  readonly missesMax: number;
  readonly windowSeconds: number;
}

const accountMissesFree = 20;
const delayMsMax = 4_000;
/** A site with many networks, such as an IPv6 /48, may make this many times the guesses of one network. */
const networksPerSite = 10;

export function createThrottle({ now, missesMax, windowSeconds }: ThrottleOptions) {
  const guessers = createWindowCounts(now, windowSeconds);
  const accounts = createWindowCounts(now, windowSeconds);
  const listKeys = ({ address, browser }: Guesser) =>
    browser === undefined ? listNetworkKeys(address) : [`browser ${browser}`];
  const giveBack = (keys: readonly string[]) => keys.map((key) => guessers.add(key, -1));
  return {
    /**
     * Counts a guess before it is verified, so that parallel guesses gain nothing over sequential ones.
     * @returns whole seconds until the next guess from there is allowed; `undefined`: it is allowed now.
     */
    take: (guesser: Guesser): number | undefined => {
      const keys = listKeys(guesser);
      // The widest first: a site that has spent its guesses cannot fill the memory with its networks.
      for (const [at, key] of keys.entries()) {
        const max = at < keys.length - 1 ? missesMax * networksPerSite : missesMax;
        if (guessers.add(key, 1).count <= max) continue;
        return giveBack(keys.slice(0, at + 1)).at(-1)?.leftSeconds;
      }
      return undefined;
    },
    /** The guess was right: it does not count. */
    giveBack: (guesser: Guesser) => void giveBack(listKeys(guesser)),
    /** The guess was wrong. @returns by how many milliseconds to delay the answer. */
    miss: (account: string) => {
      const surplus = accounts.add(account, 1).count - accountMissesFree;
      return Math.max(0, Math.min(delayMsMax, surplus * 100));
    },
  };
}
