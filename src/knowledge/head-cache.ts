/** Caches the heads of recently used repositories. A million commits take about 25 MB. */
import { RecentlyUsed } from "../contract/recently-used.ts";
import type { AuthorshipHead, AuthorshipStore } from "../pool/pool.ts";
import type { StoredFiles } from "./select-files.ts";

const bytesMax = 64 * 2 ** 20;

export type HeadCache = ReturnType<typeof createHeadCache>;

export function createHeadCache(authorship: Pick<AuthorshipStore, "head" | "blocks">) {
  const cached = new RecentlyUsed<{ head: AuthorshipHead; edition: string }, number>(bytesMax);
  return {
    /** @param edition the pool's edition. A new edition can rename or erase authors. */
    async open(id: number, edition: string): Promise<StoredFiles | undefined> {
      const before = cached.get(id);
      const head = before?.edition === edition ? before.head : await authorship.head(id);
      // The newest head is cached whatever its size.
      if (head) cached.set(id, { head, edition }, Math.min(sizeOf(head), bytesMax));
      else cached.delete(id);
      return head && { head, read: (from, to) => authorship.blocks(id, from, to) };
    },
  };
}

/** Estimates the memory of a head with its index. */
function sizeOf({ columns, blocks, logins }: AuthorshipHead): number {
  const { day, others } = columns;
  return day.length * 13 + others.commit.length * 9 + blocks.length * 200 + logins.length * 60;
}
