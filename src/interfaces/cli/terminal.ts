/** Results on standard output, everything else on standard error: one place that writes to either. */

import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import Table from "cli-table3";
import { toPrintable, toPrintableJson } from "../../contract/foreign-text.ts";
import { problems } from "../../contract/problem.ts";

export interface Terminal {
  /** Columns of standard output, or `undefined` when it is no terminal. */
  readonly columns: number | undefined;
  /** Whether standard error is a terminal: progress bars only there. */
  readonly isInteractive: boolean;
  /** Each is one line, whatever it holds: this is where what others wrote can no longer move a cursor or forge a line. */
  result(...lines: readonly string[]): void;
  note(...lines: readonly string[]): void;
}

/**
 * The process's own streams, written at once and whole: what waits in a buffer is lost when the process
 * ends, and a slow reader of a pipe would get the first 64 KiB.
 */
export function openTerminal(): Terminal {
  const output = writerTo(1);
  const messages = writerTo(2);
  return {
    columns: isatty(1) ? process.stdout.columns : undefined,
    isInteractive: isatty(2),
    result: (...lines) => output(toLines(lines), "standard output cannot be written"),
    note: (...lines) => messages(toLines(lines), undefined),
  };
}

/** What is written of lines: each stays one, and holds nothing that a terminal would act on. */
export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${toPrintable(line).trimEnd()}\n`).join("");
}

const retryMilliseconds = 5;

/** A reader that went away (`| head -1`) has what it wanted; without `failure` nobody is left to tell. */
function writerTo(descriptor: 1 | 2): (text: string, failure: string | undefined) => void {
  let isOpen = true;
  return (text, failure) => {
    let bytes = Buffer.from(text);
    while (isOpen && bytes.length > 0) {
      try {
        bytes = bytes.subarray(writeSync(descriptor, bytes));
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        // A pipe that does not block is full: its reader is slow.
        if (code === "EAGAIN") Bun.sleepSync(retryMilliseconds);
        else {
          isOpen = false;
          if (code !== "EPIPE" && failure)
            throw new CommandFault(exitCodes.fault, `${failure}: ${message}`);
        }
      }
    }
  };
}

/** Data as they are: what a terminal must not get is escaped, and reads as before. */
export function printJson(terminal: Terminal, value: unknown, indent?: number): void {
  terminal.result(...toPrintableJson(JSON.stringify(value, null, indent)).split("\n"));
}

/** Rows under headings; cells are cut to the terminal's width, never when the output goes to a file. */
export function printTable(
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
  for (const row of rows) sheet.push(row.map((cell) => cut(toPrintable(cell), widest)));
  terminal.result(...sheet.toString().split("\n"));
}

/** Names and values, one a line. */
export function printFields(
  terminal: Terminal,
  entries: readonly (readonly [string, string | undefined])[],
): void {
  const known = entries.filter(([, value]) => value !== undefined && value !== "");
  const width = Math.max(...known.map(([name]) => name.length));
  for (const [name, value] of known) terminal.result(`${name.padEnd(width)}  ${value}`);
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

/** What a script may rely on; shown in --help. */
export const exitCodes = {
  ok: 0,
  usage: 2,
  refused: 3,
  notFound: 4,
  fault: 5,
  /** 128 + SIGINT, as shells count it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesInWords =
  "Exit codes: 0 ok, 2 usage, 3 data refused, 4 not found, 5 fault, 130 interrupted.";

const byStatus: Record<number, ExitCode> = {
  [problems.invalid_request.status]: exitCodes.usage,
  [problems.not_found.status]: exitCodes.notFound,
};

/** The exit code of an answer that is a problem. */
export function getExitCode(status: number): ExitCode {
  return byStatus[status] ?? exitCodes.fault;
}

/** A command that ends early, in words for the person at the terminal. */
export class CommandFault extends Error {
  override readonly name = "CommandFault";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
