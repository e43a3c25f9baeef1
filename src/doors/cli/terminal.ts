/** Results on standard output, everything else on standard error: one place that writes to either. */
import Table from "cli-table3";

export interface Terminal {
  /** Columns of standard output, or `undefined` when it is no terminal. */
  readonly columns: number | undefined;
  /** Whether standard error is a terminal: progress bars only there. */
  readonly isInteractive: boolean;
  result(text: string): void;
  note(text: string): void;
}

/** The process's own streams. */
export function openTerminal(): Terminal {
  return {
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    isInteractive: process.stderr.isTTY === true,
    result: (text) => {
      process.stdout.write(`${text}\n`);
    },
    note: (text) => {
      process.stderr.write(`${text}\n`);
    },
  };
}

export function json(terminal: Terminal, value: unknown): void {
  terminal.result(JSON.stringify(value));
}

/** Rows under headings; cells are cut to the terminal's width, never when the output goes to a file. */
export function table(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const sheet = new Table({
    head: [...headings],
    chars: blank,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
  });
  const widest = terminal.columns ? Math.max(12, Math.floor(terminal.columns / 2)) : undefined;
  for (const row of rows) sheet.push(row.map((cell) => cut(printable(cell), widest)));
  terminal.result(sheet.toString().replace(/ +$/gm, ""));
}

/** Names and values, one a line. */
export function listing(
  terminal: Terminal,
  entries: readonly (readonly [string, string | undefined])[],
): void {
  const known = entries.filter(([, value]) => value !== undefined && value !== "");
  const width = Math.max(...known.map(([name]) => name.length));
  for (const [name, value] of known)
    terminal.result(`${name.padEnd(width)}  ${printable(value as string)}`);
}

/** Foreign text must not move a reader's cursor or colour a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}

function cut(text: string, widest: number | undefined): string {
  if (!widest || Bun.stringWidth(text) <= widest) return text;
  let kept = "";
  for (const letter of text) {
    if (Bun.stringWidth(kept + letter) > widest - 1) break;
    kept += letter;
  }
  return `${kept}…`;
}

const blank = Object.fromEntries(
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
