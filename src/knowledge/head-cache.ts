/** Caches the heads of recently used repositories. A million commits take about 25 MB. */
import type { AuthorshipHead, AuthorshipStore } from "../pool/pool.ts";
import type { StoredFiles } from "./select-files.ts";

const bytesMax = 64 * 2 ** 20;

export type HeadCache = ReturnType<typeof createHeadCache>;

export function createHeadCache(authorship: Pick<AuthorshipStore, "head" | "blocks">) {
  const cached = new Map<number, { readonly head: AuthorshipHead; readonly edition: string }>();
  let bytes = 0;
  const drop = (id: number) => {
    const head = cached.get(id)?.head;
    if (head) bytes -= sizeOf(head);
    cached.delete(id);
  };
  return {
    /** @param edition the pool's edition. A new edition can rename or erase authors. */
    async open(id: number, edition: string): Promise<StoredFiles | undefined> {
      const before = cached.get(id);
      const head = before?.edition === edition ? before.head : await authorship.head(id);
      drop(id);
      if (!head) return undefined;
      cached.set(id, { head, edition });
      bytes += sizeOf(head);
      for (const oldest of cached.keys()) {
        if (bytes <= bytesMax || oldest === id) break;
        drop(oldest);
      }
      return { head, read: (from, to) => authorship.blocks(id, from, to) };
    },
  };
}

/** Estimates the memory of a head with its index. */
function sizeOf({ columns, blocks, logins }: AuthorshipHead): number {
  const { day, others } = columns;
  return day.length * 13 + others.commit.length * 9 + blocks.length * 200 + logins.length * 60;
}
