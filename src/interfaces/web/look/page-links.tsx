import { formatCount } from "./format.ts";

interface PageLinksProperties {
  /** What the pages are of. */
  readonly label: string;
  /** From 1. */
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly toPage: (page: number) => string;
}

/** The page that an address asks for, as far as there are so many. */
export function readPage(query: URLSearchParams, size: number, total: number): number {
  const page = Number(query.get("page") ?? 1);
  const last = Math.max(1, Math.ceil(total / size));
  return Number.isSafeInteger(page) && page > 0 ? Math.min(last, page) : 1;
}

/** Links to the other pages of a list; nothing for a single page. */
export function PageLinks({ label, page, size, total, toPage }: PageLinksProperties) {
  const last = Math.ceil(total / size);
  if (last <= 1) return undefined;
  return (
    <nav class="pages" aria-label={label}>
      <ol>
        {page > 1 && <PageLink to={toPage(page - 1)} label="Previous" />}
        <li>
          <span aria-current="page">
            {formatCount((page - 1) * size + 1)} to {formatCount(Math.min(total, page * size))}
          </span>
        </li>
        {page < last && <PageLink to={toPage(page + 1)} label="Next" />}
        {page < last - 1 && <PageLink to={toPage(last)} label="Last" />}
      </ol>
    </nav>
  );
}

function PageLink({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <li>
      <a href={to}>{label}</a>
    </li>
  );
}
