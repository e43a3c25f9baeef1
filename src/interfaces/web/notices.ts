/**
 * What one request leaves for the next one of a browser: notices of an action for the page to which it redirects, and
 * forms that could not be sent for whoever signs in again. They are in memory, for one browser, and are shown once; a
 * secret is shown only to the account that created it. So a key never appears in a URL, and is gone when the page is
 * reloaded.
 */
import type { Notice } from "./page.ts";

export interface Notices<Left extends { readonly secret?: unknown }> {
  put(left: Left, to: Addressee): void;
  /** Returns what was left and removes it: the next call finds none. */
  take(to: Addressee): Left | undefined;
}

interface Addressee {
  readonly browserId: string;
  readonly accountId: string | undefined;
  /** Path of the page. */
  readonly path: string;
}

/** Far longer than a redirect takes, and short for a secret to stay in memory. */
const redirectMs = 2 * 60_000;
const noticesMax = 1000;

export function createNotices<Left extends { readonly secret?: unknown } = Notice>(
  now: () => Date,
  lifetimeMs = redirectMs,
): Notices<Left> {
  const notices = new Map<
    string,
    { notice: Left; accountId: string | undefined; untilMs: number }
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
