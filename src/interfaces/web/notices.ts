/**
 * Stores the notices of actions in memory until a page shows them. A notice is for one browser and is shown once. A notice with a
 * secret, such as a new key, is shown only to the account that created the secret.
 */
import { keepValues } from "./kept-values.ts";
import type { Notice } from "./page.ts";

export type Notices = ReturnType<typeof createNotices>;

interface Addressee {
  readonly browserId: string;
  readonly accountId: string | undefined;
  /** Path of the page that will show the notice. */
  readonly path: string;
}

/** How long a notice is stored. The time is short because a notice can contain a secret. */
const lifetimeMs = 2 * 60_000;

export function createNotices(now: () => Date) {
  const notices = keepValues<{ notice: Notice; accountId: string | undefined }>(now, lifetimeMs);
  const keyOf = ({ browserId, path }: Addressee) => `${browserId} ${path}`;
  return {
    put: (notice: Notice, to: Addressee) =>
      notices.put(keyOf(to), { notice, accountId: to.accountId }),
    take: (to: Addressee): Notice | undefined => {
      const found = notices.take(keyOf(to));
      if (found?.notice.secret && found.accountId !== to.accountId) return undefined;
      return found?.notice;
    },
  };
}
