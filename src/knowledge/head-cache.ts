/** Keeps what was read of the repositories that were asked for last: a million commits take some 12 MB. */
import type { AuthorshipHead, AuthorshipStore } from "../pool/pool.ts";

const bytesMax = 64 * 2 ** 20;

/** Authors may be renamed or forgotten between two questions, so only what never changes is kept. */
export function createHeadCache(authorship: Pick<AuthorshipStore, "head" | "logins">) {
  const kept = new Map<number, Pick<AuthorshipHead, "columns" | "blocks">>();
  let bytes = 0;
  return {
    async read(id: number): Promise<AuthorshipHead | undefined> {
      const before = kept.get(id);
      if (before) {
        const logins = await authorship.logins(id);
        if (!logins) return undefined;
        kept.delete(id);
        kept.set(id, before);
        return { ...before, logins };
      }
      const head = await authorship.head(id);
      if (!head) return undefined;
      const { columns, blocks } = head;
      kept.set(id, { columns, blocks });
      bytes += sizeOf(head);
      for (const [oldest, old] of kept) {
        if (bytes <= bytesMax || oldest === id) break;
        kept.delete(oldest);
        bytes -= sizeOf(old);
      }
      return head;
    },
  };
}

function sizeOf({ columns, blocks }: Pick<AuthorshipHead, "columns" | "blocks">): number {
  return columns.day.length * 9 + columns.others.commit.length * 9 + blocks.length * 200;
}
