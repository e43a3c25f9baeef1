import { formatCount } from "./format.ts";
import { Field, type InputAttributes } from "./forms.tsx";
import type { Children } from "./jsx-runtime.ts";
import { EmptyState } from "./parts.tsx";

/**
 * A column of a table. An undefined heading makes an empty corner. `className` is for the cells. The heading gets only the class
 * names `number` and `wide`.
 */
export type DataColumn<Row> = readonly [
  heading: Children,
  cell: (row: Row) => Children,
  className?: string | undefined,
];

interface DataTableProperties<Row> {
  /** The columns. The cells of the first column are the headings of the rows. */
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly class?: string;
  /** Shown instead of the table if there are no rows. */
  readonly empty?: Children;
  /** If given, a table that is too wide scrolls sideways. The value is the accessible name of the part that scrolls. */
  readonly scrolls?: string;
}

export function DataTable<Row>(properties: DataTableProperties<Row>) {
  const { columns, rows, class: name, empty, scrolls } = properties;
  if (rows.length === 0 && empty !== undefined) return <EmptyState>{empty}</EmptyState>;
  const headings = columns.map(([heading, , className]) =>
    heading === undefined ? (
      <td />
    ) : (
      <th scope="col" class={className?.match(/\b(number|wide)\b/g)?.join(" ")}>
        {heading}
      </th>
    ),
  );
  const [first, ...others] = columns;
  const table = (
    <table class={name}>
      <thead>
        <tr>{headings}</tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            <th scope="row" class={first?.[2]}>
              {first?.[1](row)}
            </th>
            {others.map(([, cell, className]) => (
              <td class={className}>{cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (scrolls === undefined) return table;
  return (
    <section class="scroll" tabindex={0} aria-label={scrolls}>
      {table}
    </section>
  );
}

interface ListSearchProperties extends InputAttributes {
  readonly path: string;
  readonly label: string;
  readonly value: string;
  /** Hidden fields for the parameters that stay in the address. */
  readonly children?: Children;
}

/** A form that searches a list. The search text is the parameter `q` of the address. Other attributes go to the input. */
export function ListSearch({ path, children, ...field }: ListSearchProperties) {
  return (
    <search>
      <form class="search" method="get" action={path}>
        <Field name="q" type="search" autocomplete="off" maxlength={searchedMax} {...field} />
        {children}
        <button type="submit" class="plain">
          Search
        </button>
      </form>
    </search>
  );
}

const searchedMax = 200;

export const readSearched = ({ searchParams }: URL): string =>
  (searchParams.get("q") ?? "").trim().slice(0, searchedMax);

/** Reads a number from the address. @returns 0 if the parameter is not a positive whole number. */
export function readPosition({ searchParams }: URL, name: string): number {
  const position = Number(searchParams.get(name));
  return Number.isSafeInteger(position) && position > 0 ? position : 0;
}

/** Reads the number of the page from the address, at most the number of the last page. */
export const readPage = (url: URL, size: number, total: number): number =>
  Math.min(readPosition(url, "page") || 1, Math.max(1, Math.ceil(total / size)));

interface PageLinksProperties {
  readonly label: string;
  /** The address of the list. The links change only its parameter `page`. */
  readonly url: URL;
  /** The number of the current page, counted from 1. */
  readonly page: number;
  readonly size: number;
  readonly total: number;
}

/** Renders links to the other pages of a list. Renders nothing if the list has only one page. */
export function PageLinks({ label, url, page, size, total }: PageLinksProperties) {
  const last = Math.ceil(total / size);
  if (last <= 1) return undefined;
  const link = (to: number, text: string) => {
    const query = new URLSearchParams(url.search);
    query.set("page", String(to));
    return (
      <li>
        <a href={`${url.pathname}?${query}`}>{text}</a>
      </li>
    );
  };
  return (
    <nav class="pages" aria-label={label}>
      <ol>
        {page > 1 && link(page - 1, "Previous")}
        <li>
          <span aria-current="page">
            {formatCount((page - 1) * size + 1)} to {formatCount(Math.min(total, page * size))}
          </span>
        </li>
        {page < last && link(page + 1, "Next")}
        {page < last - 1 && link(last, "Last")}
      </ol>
    </nav>
  );
}
