import type { Children } from "./jsx-runtime.ts";
import { EmptyState } from "./parts.tsx";

/**
 * The heading of a column, how its cell is made of a row, and class names of its cells; `number` and `wide` are class
 * names of the heading, too. The corner above the headings of rows has no heading.
 */
export type Column<Row> = readonly [
  heading: Children,
  cell: (row: Row) => Children,
  className?: string | undefined,
];

interface TableProperties<Row> {
  /** The cells of the first column are the headings of their rows. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly class?: string;
  /** What stands in place of a table without rows. */
  readonly empty?: Children;
  /** Lets a wide table scroll sideways by itself, under this name. */
  readonly scrolls?: string;
}

export function Table<Row>({ columns, rows, class: name, empty, scrolls }: TableProperties<Row>) {
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
