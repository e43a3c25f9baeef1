/**
 * Slows down the guessing of passwords (ASVS 6.3.1) without locking out their owners. Wrong guesses block the guesser's network,
 * but not the known browsers in it. Many guesses about one account delay the answers about this account by seconds. The counts
 * are in memory only, because strangers could cause load if each guess were written to disk.
 */
import { createWindowCounts } from "../../control/window-counts.ts";
import { listNetworkKeys } from "../../network/ip-address.ts";

interface Guesser {
  readonly address: string | undefined;
  /** The id of a known browser. Guesses from a known browser are counted apart from the guesses of its network. */
  readonly browser?: string | undefined;
}

export type Throttle = ReturnType<typeof createThrottle>;

interface ThrottleOptions {
  readonly now: () => Date;
  /** The most wrong guesses in a window. The limit applies to each network and to each known browser. */
  readonly missesMax: number;
  readonly windowSeconds: number;
}

const accountMissesFree = 20;
const delayMsMax = 4_000;
/** A site such as an IPv6 /48 has many networks. It may make this many times the guesses of one network. */
const networksPerSite = 10;

export function createThrottle({ now, missesMax, windowSeconds }: ThrottleOptions) {
  const guessers = createWindowCounts(now, windowSeconds);
  const accounts = createWindowCounts(now, windowSeconds);
  const listKeys = ({ address, browser }: Guesser) =>
    browser === undefined ? listNetworkKeys(address) : [`browser ${browser}`];
  const giveBack = (keys: readonly string[]) => keys.map((key) => guessers.add(key, -1));
  return {
    /**
     * Counts a guess before it is verified, so that sending guesses at the same time does not evade the limit.
     * @returns the seconds until the guesser may guess again. Undefined means that this guess is allowed.
     */
    take: (guesser: Guesser): number | undefined => {
      const keys = listKeys(guesser);
      // The widest network comes first. If it is blocked, the narrower networks need no counters.
      for (const [at, key] of keys.entries()) {
        const max = at < keys.length - 1 ? missesMax * networksPerSite : missesMax;
        if (guessers.add(key, 1).count <= max) continue;
        return giveBack(keys.slice(0, at + 1)).at(-1)?.leftSeconds;
      }
      return undefined;
    },
    /** Subtracts the guess from the counts, because the password was right. */
    giveBack: (guesser: Guesser) => void giveBack(listKeys(guesser)),
    /** Counts a wrong guess about an account. @returns how many milliseconds the answer must be delayed. */
    miss: (account: string) => {
      const surplus = accounts.add(account, 1).count - accountMissesFree;
      return Math.max(0, Math.min(delayMsMax, surplus * 100));
    },
  };
}
