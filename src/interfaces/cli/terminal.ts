/** The only place that writes to standard output and standard error. Standard output gets results, and nothing else. */
import { fstatSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import { Fault } from "../../contract/fault.ts";
import { toPrintable, toPrintableJson } from "../../contract/foreign-text.ts";

export interface Terminal {
  /** The width of standard output in columns; undefined if it is not a terminal. */
  readonly columns: number | undefined;
  /** Whether standard error is a terminal, so that it can show progress bars. */
  readonly isInteractive: boolean;
  /** Whether standard output goes to a log. This is so in a container, or if standard error goes to the same file. */
  readonly isLogged: boolean;
  /** Writes each text as one line. Control characters are removed, because foreign text could fake lines with them. */
  result(...lines: readonly string[]): void;
  /** Writes bytes to a file or pipe unchanged. On a terminal, control characters are removed. */
  bytes(content: Buffer): void;
  note(...lines: readonly string[]): void;
  /**
   * Asks a question and reads a line. Undefined if nobody can answer, because standard input or standard error is not a terminal.
   * @returns the line, or an empty text at the end of the input.
   * @throws Fault when the signal is aborted.
   */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string>;
}

/** Opens the streams of this process. Writes are synchronous, because buffered output is lost when the process ends. */
export function openTerminal(): Terminal {
  const output = createWriter(1);
  const messages = createWriter(2);
  return {
    columns: isatty(1) ? process.stdout.columns : undefined,
    isInteractive: isatty(2),
    isLogged: !isatty(1) && (process.pid === 1 || isSameFile(1, 2)),
    result: (...lines) => output(toLines(lines), outputFailure),
    bytes: (content) =>
      output(
        isatty(1) ? toLines(content.toString().trimEnd().split("\n")) : content,
        outputFailure,
      ),
    note: (...lines) => messages(toLines(lines), undefined),
    ...(isatty(0) &&
      isatty(2) && {
        ask: (question, signal) => {
          messages(`${toPrintable(question)} `, undefined);
          return readAnswer(signal);
        },
      }),
  };
}

async function readAnswer(signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lines.once("line", resolve).once("close", () => resolve(""));
  signal.addEventListener("abort", () => reject(new Fault("interrupted", "Nothing was done.")));
  return promise.finally(() => lines.close());
}

const outputFailure = "standard output cannot be written";

function isSameFile(one: number, other: number): boolean {
  try {
    const [{ dev, ino }, second] = [fstatSync(one), fstatSync(other)];
    return ino !== 0 && dev === second.dev && ino === second.ino;
  } catch {
    // A descriptor is closed.
    return false;
  }
}

/** Writes each text as one line, without control characters. */
export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${toPrintable(line).trimEnd()}\n`).join("");
}

const retryMilliseconds = 5;

/**
 * Creates a synchronous writer. If the reader has closed the pipe (`| head -1`), the remaining output is dropped.
 * @returns a function that writes. An error becomes a Fault with the message `failure`. Without `failure`, errors are ignored.
 */
function createWriter(
  descriptor: 1 | 2,
): (text: string | Buffer, failure: string | undefined) => void {
  let isOpen = true;
  return (text, failure) => {
    let bytes = typeof text === "string" ? Buffer.from(text) : text;
    while (isOpen && bytes.length > 0) {
      try {
        bytes = bytes.subarray(writeSync(descriptor, bytes));
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        // EAGAIN means that a pipe is full because its reader is slow.
        if (code === "EAGAIN") Bun.sleepSync(retryMilliseconds);
        else {
          isOpen = false;
          if (code !== "EPIPE" && failure) throw new Fault("system", `${failure}: ${message}`);
        }
      }
    }
  };
}

/** @returns a terminal that prints nothing until `print` is called. */
export function createHeldTerminal(terminal: Terminal): Terminal & { print(): void } {
  const held: (() => void)[] = [];
  return {
    ...terminal,
    result: (...lines) => void held.push(() => terminal.result(...lines)),
    note: (...lines) => void held.push(() => terminal.note(...lines)),
    print: () => {
      for (const write of held) write();
    },
  };
}

/** Prints a value as JSON. Control characters are escaped. */
export function printJson(terminal: Terminal, value: unknown, indent?: number): void {
  terminal.result(...toPrintableJson(JSON.stringify(value, null, indent)).split("\n"));
}

export function printResult(
  terminal: Terminal,
  flags: { readonly json?: unknown },
  value: unknown,
  printText: () => void,
): void {
  if (flags.json) printJson(terminal, value);
  else printText();
}

/** Prints the notes that apply. */
export function noteAll(terminal: Terminal, notes: readonly (string | false)[]): void {
  terminal.note(...notes.filter((note) => note !== false));
}

/** Prints one name with its value on each line. Empty values are left out. */
export function printFields(
  terminal: Terminal,
  entries: readonly (readonly (string | undefined)[])[],
): void {
  const known = entries.filter(([, value]) => value !== undefined && value !== "");
  const width = Math.max(...known.map(([name = ""]) => name.length));
  // Writes all lines in one call. A program that waits for the first line then has all lines.
  terminal.result(...known.map(([name = "", value]) => `${name.padEnd(width)}  ${value}`));
}
