/**
 * What an act leaves to be said on the page it leads to: in memory, for one browser, taken once, and a secret only
 * by the account that made it. So a key never stands in an address, and is gone when the page is loaded again.
 */
import type { Notice } from "./page.ts";

export interface Notices {
  put(notice: Notice, to: Addressee): void;
  /** Gives a notice away: the next call finds none. */
  take(to: Addressee): Notice | undefined;
}

interface Addressee {
  readonly browserId: string;
  readonly accountId: string | undefined;
  /** Path of the page. */
  readonly path: string;
}

/** Nobody waits so long for a redirect; a secret should not lie in memory longer than it must. */
const keptMs = 2 * 60_000;
const keptMax = 1000;

export function createNotices(now: () => Date): Notices {
  const kept = new Map<
    string,
    { notice: Notice; accountId: string | undefined; untilMs: number }
  >();
  const keyOf = ({ browserId, path }: Addressee) => `${browserId} ${path}`;
  const sweep = () => {
    const nowMs = now().getTime();
    for (const [key, { untilMs }] of kept) {
      // Oldest first, and all are kept equally long.
      if (untilMs > nowMs && kept.size <= keptMax) break;
      kept.delete(key);
    }
  };
  return {
    put: (notice, to) => {
      const key = keyOf(to);
      kept.delete(key);
      kept.set(key, { notice, accountId: to.accountId, untilMs: now().getTime() + keptMs });
      sweep();
    },
    take: (to) => {
      sweep();
      const key = keyOf(to);
      const found = kept.get(key);
      kept.delete(key);
      if (found?.notice.secret && found.accountId !== to.accountId) return undefined;
      return found?.notice;
    },
  };
}
