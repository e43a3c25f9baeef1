/** Prints rows as a table for people, or as JSON for programs. */
import { toPrintable } from "../../contract/foreign-text.ts";
import { printResult, type Terminal } from "./terminal.ts";

/** The heading of a column, and a function that returns the text of a row's cell. */
type Column<Row> = readonly [heading: string, cell: (row: Row) => string];

export interface RowTable<Row> {
  readonly columns: readonly Column<Row>[];
  readonly empty?: string;
}

export function printRows<Row>(
  terminal: Terminal,
  flags: { readonly json?: unknown },
  rows: readonly Row[],
  { empty, columns }: RowTable<Row>,
): void {
  printResult(terminal, flags, rows, () => {
    const headings = columns.map(([heading]) => heading);
    const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
    if (rows.length === 0 && empty !== undefined) terminal.note(empty);
    else printTable(terminal, headings, cells);
  });
}

/** Prints rows under headings. On a terminal, cells are cut to fit the width. */
export function printTable(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widthMax = terminal.columns ? Math.max(12, Math.floor(terminal.columns / 2)) : undefined;
  const lines = [
    headings,
    ...rows.map((row) => row.map((cell) => cut(toPrintable(cell), widthMax))),
  ];
  const widths = headings.map((_, at) =>
    lines.reduce((most, line) => Math.max(most, Bun.stringWidth(line[at] ?? "")), 0),
  );
  const pad = (cell: string, at: number) =>
    cell + " ".repeat((widths[at] ?? 0) - Bun.stringWidth(cell) + gap);
  terminal.result(...lines.map((line) => line.map(pad).join("")));
}

/** The spaces between two columns. */
const gap = 2;

function cut(text: string, widthMax: number | undefined): string {
  if (!widthMax || Bun.stringWidth(text) <= widthMax) return text;
  let start = "";
  for (const letter of text) {
    if (Bun.stringWidth(start + letter) > widthMax - 1) break;
    start += letter;
  }
  return `${start}…`;
}
