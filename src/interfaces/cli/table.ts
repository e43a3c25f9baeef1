/** Prints rows as a table for people, or as JSON for programs. */
import Table from "cli-table3";
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
  const table = new Table({
    head: [...headings],
    chars: noBorders,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
  });
  const widthMax = terminal.columns ? Math.max(12, Math.floor(terminal.columns / 2)) : undefined;
  for (const row of rows) table.push(row.map((cell) => cut(toPrintable(cell), widthMax)));
  terminal.result(...table.toString().split("\n"));
}

function cut(text: string, widthMax: number | undefined): string {
  if (!widthMax || Bun.stringWidth(text) <= widthMax) return text;
  let start = "";
  for (const letter of text) {
    if (Bun.stringWidth(start + letter) > widthMax - 1) break;
    start += letter;
  }
  return `${start}…`;
}

const noBorders = Object.fromEntries(
  ["top", "bottom", "left", "right", "mid", "middle"].flatMap((side) =>
    ["", "-mid", "-left", "-right"].map((end) => [`${side}${end}`, ""]),
  ),
);
