import type { Children } from "./jsx-runtime.ts";
import { EmptyState } from "./parts.tsx";

/**
 * The heading of a column, a function that makes its cell of a row, and the class names of its cells. The heading gets
 * the class names `number` and `wide`, too. A column without a heading leaves the corner empty.
 */
export type DataColumn<Row> = readonly [
  heading: Children,
  cell: (row: Row) => Children,
  className?: string | undefined,
];

interface DataTableProperties<Row> {
  /** The cells of the first column are the headings of their rows. */
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly class?: string;
  /** Shown instead of a table without rows. */
  readonly empty?: Children;
  /** Lets a wide table scroll sideways; the accessible name of the part that scrolls. */
  readonly scrolls?: string;
}

export function DataTable<Row>({
  columns,
  rows,
  class: name,
  empty,
  scrolls,
}: DataTableProperties<Row>) {
  if (rows.length === 0 && empty !== undefined) return <EmptyState>{empty}</EmptyState>;
  const table = (
    <table class={name}>
      <thead>
        <tr>
          {columns.map(([heading, , className]) =>
            heading === undefined ? (
              <td />
            ) : (
              <th scope="col" class={className?.match(/\b(number|wide)\b/g)?.join(" ")}>
                {heading}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map(([, cell, className], at) =>
              at === 0 ? (
                <th scope="row" class={className}>
                  {cell(row)}
                </th>
              ) : (
                <td class={className}>{cell(row)}</td>
              ),
            )}
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
