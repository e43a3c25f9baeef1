import type { Children } from "./jsx-runtime.ts";
import { EmptyState } from "./parts.tsx";

export interface Column<Row> {
  /** Absent for the corner above the headings of rows. */
  readonly heading?: Children;
  /** Class names of the heading and of every cell. */
  readonly class?: string;
  /** Further class names of the cells. */
  readonly cellClass?: string;
  readonly cell: (row: Row) => Children;
}

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
          {columns.map(({ heading, class: name }) =>
            heading === undefined ? (
              <td />
            ) : (
              <th scope="col" class={name}>
                {heading}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column, at) => (
              <Cell column={column} row={row} isHeading={at === 0} />
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

interface CellProperties<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isHeading: boolean;
}

function Cell<Row>({ column, row, isHeading }: CellProperties<Row>) {
  const name = [column.class, column.cellClass].filter(Boolean).join(" ") || undefined;
  const content = column.cell(row);
  return isHeading ? (
    <th scope="row" class={name}>
      {content}
    </th>
  ) : (
    <td class={name}>{content}</td>
  );
}
