/** Lists of which only the first are read: their cursors also say how many have been, since pages may be short. */
import type { ForgePage } from "../forge.ts";

/** @package @param cursor as `cutList` gave it, or none at the beginning. @returns how many were read, and the forge's own cursor. */
export function openCursor(cursor: string | undefined): {
  readonly read: number;
  readonly cursor: string | undefined;
} {
  const [, read, rest] = /^(\d+) (.+)$/.exec(cursor ?? "") ?? [];
  return { read: Number(read ?? 0), cursor: rest ?? cursor };
}

/** @package As much of a page as the limit leaves, and where the list goes on. */
export function cutList<Item>(
  { items, next }: { readonly items: readonly Item[]; readonly next: string | undefined },
  read: number,
  limit = Number.POSITIVE_INFINITY,
): { readonly items: readonly Item[]; readonly next: string | undefined } {
  if (limit === Number.POSITIVE_INFINITY) return { items, next };
  const total = read + items.length;
  const isOver = next === undefined || total >= limit;
  return { items: items.slice(0, limit - read), next: isOver ? undefined : `${total} ${next}` };
}

/** @package The same of a page of people. */
export function cutAccounts(page: ForgePage, read: number, limit: number): ForgePage {
  const list = { items: page.accounts, next: page.next };
  const { items: accounts, next } = cutList(list, read, limit);
  return { ...page, accounts, next };
}
