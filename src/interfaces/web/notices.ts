/**
 * Stores the notices of actions in memory until a page shows them. A notice is for one browser and is shown once. A notice with a
 * secret, such as a new key, is shown only to the account that created the secret.
 */
import type { Notice } from "./page.ts";

export interface Notices {
  put(notice: Notice, to: Addressee): void;
  take(to: Addressee): Notice | undefined;
}

interface Addressee {
  readonly browserId: string;
  readonly accountId: string | undefined;
  /** Path of the page that will show the notice. */
  readonly path: string;
}

/** How long a notice is stored. The time is short because a notice can contain a secret. */
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
      // Notices are stored in the order in which they expire, so the loop ends at the first notice that stays.
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
