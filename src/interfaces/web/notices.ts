/**
 * Notices that an action leaves for the page to which it redirects. They are in memory, for one browser, and are shown once. A notice
 * with a secret is shown only to the account that created the secret. So a key never appears in a URL, and a reload removes it.
 */
import type { Notice } from "./page.ts";

export interface Notices {
  put(notice: Notice, to: Addressee): void;
  /** Returns the notice and removes it: the next call finds none. */
  take(to: Addressee): Notice | undefined;
}

interface Addressee {
  readonly browserId: string;
  readonly accountId: string | undefined;
  /** Path of the page. */
  readonly path: string;
}

/** The life of a notice: much longer than a redirect takes, but short, because a notice can hold a secret. */
const lifetimeMs = 2 * 60_000;
const noticesMax = 1000;

export function createNotices(now: () => Date): Notices {
  const notices = new Map<
    string,
    { notice: Notice; accountId: string | undefined; untilMs: number }
  >();
  const keyOf = ({ browserId, path }: Addressee) => `${browserId} ${path}`;
  const sweep = () => {
    const nowMs = now().getTime();
    for (const [key, { untilMs }] of notices) {
      // The map is ordered oldest first, and all notices have the same lifetime.
      if (untilMs > nowMs && notices.size <= noticesMax) break;
      notices.delete(key);
    }
  };
  return {
    put: (notice, to) => {
      const key = keyOf(to);
      notices.delete(key);
      notices.set(key, { notice, accountId: to.accountId, untilMs: now().getTime() + lifetimeMs });
      sweep();
    },
    take: (to) => {
      sweep();
      const key = keyOf(to);
      const found = notices.get(key);
      notices.delete(key);
      if (found?.notice.secret && found.accountId !== to.accountId) return undefined;
      return found?.notice;
    },
  };
}
