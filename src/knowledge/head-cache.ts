/** Keeps what was read of the repositories that were asked for last: a million commits take some 25 MB. */
import type { AuthorshipHead, AuthorshipStore } from "../pool/pool.ts";

const bytesMax = 64 * 2 ** 20;

/** @package */
export interface HeadCache {
  /** @param edition of the pool: authors may be renamed or forgotten between two editions. */
  read(id: number, edition: string): Promise<AuthorshipHead | undefined>;
}

/** @package */
export function createHeadCache(authorship: Pick<AuthorshipStore, "head" | "logins">): HeadCache {
  const kept = new Map<number, { readonly head: AuthorshipHead; readonly edition: string }>();
  let bytes = 0;
  const refresh = async (id: number, { columns, blocks }: AuthorshipHead) => {
    const logins = await authorship.logins(id);
    return logins && { columns, blocks, logins };
  };
  const drop = (id: number) => {
    const head = kept.get(id)?.head;
    if (head) bytes -= sizeOf(head);
    kept.delete(id);
  };
  return {
    async read(id, edition) {
      const before = kept.get(id);
      if (before?.edition === edition) {
        kept.delete(id);
        kept.set(id, before);
        return before.head;
      }
      const head = await (before ? refresh(id, before.head) : authorship.head(id));
      drop(id);
      if (!head) return undefined;
      kept.set(id, { head, edition });
      bytes += sizeOf(head);
      for (const oldest of kept.keys()) {
        if (bytes <= bytesMax || oldest === id) break;
        drop(oldest);
      }
      return head;
    },
  };
}

/** With what is looked up in it. */
function sizeOf({ columns, blocks, logins }: AuthorshipHead): number {
  const { day, others } = columns;
  return day.length * 13 + others.commit.length * 9 + blocks.length * 200 + logins.length * 60;
}
