/**
 * Slows down the guessing of passwords (ASVS 6.3.1) without locking out their owners. Wrong guesses block only their own
 * network, and not known browsers in it. Many guesses about an account delay all answers about it by seconds.
 *
 * Counts are only in memory: a restart forgets few guesses, and strangers could cause load if each guess were written to disk.
 */

import { createWindowCounts } from "../../control/window-counts.ts";
import { listNetworkKeys } from "../../network/ip-address.ts";

interface Guesser {
  readonly address: string | undefined;
  /** The id of a known browser. Its guesses are counted apart from those of its network. */
  readonly browser?: string | undefined;
}

export type Throttle = ReturnType<typeof createThrottle>;

interface ThrottleOptions {
  readonly now: () => Date;
  /** The most wrong guesses of one network, or of one known browser, in a window. */
  readonly missesMax: number;
  readonly windowSeconds: number;
}

const accountMissesFree = 20;
const delayMsMax = 4_000;
/** A site of many networks, such as an IPv6 /48, may make this many times the guesses of one network. */
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
     * @returns seconds until the guesser may guess again; undefined if this guess is allowed.
     */
    take: (guesser: Guesser): number | undefined => {
      const keys = listKeys(guesser);
      // The widest network comes first, so that a blocked site adds no counters for the networks within it.
      for (const [at, key] of keys.entries()) {
        const max = at < keys.length - 1 ? missesMax * networksPerSite : missesMax;
        if (guessers.add(key, 1).count <= max) continue;
        return giveBack(keys.slice(0, at + 1)).at(-1)?.leftSeconds;
      }
      return undefined;
    },
    /** Takes back the count of a guess that was right. */
    giveBack: (guesser: Guesser) => void giveBack(listKeys(guesser)),
    /** Counts a wrong guess about an account. @returns the milliseconds by which to delay the answer. */
    miss: (account: string) => {
      const surplus = accounts.add(account, 1).count - accountMissesFree;
      return Math.max(0, Math.min(delayMsMax, surplus * 100));
    },
  };
}
