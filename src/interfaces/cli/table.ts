/** Rows under headings, for people; programs read JSON. */
import Table from "cli-table3";
import { toPrintable } from "../../contract/foreign-text.ts";
import type { Terminal } from "./terminal.ts";

/** Prints rows under headings; cells are cut to fit a terminal, but never in a file or pipe. */
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
  [
    "top",
    "top-mid",
    "top-left",
    "top-right",
    "bottom",
    "bottom-mid",
    "bottom-left",
    "bottom-right",
    "left",
    "left-mid",
    "mid",
    "mid-mid",
    "right",
    "right-mid",
    "middle",
  ].map((part) => [part, ""]),
);
