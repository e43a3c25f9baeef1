import { closeSync, openSync, writeSync } from "node:fs";
import pino from "pino";
import { Fault } from "../../contract/fault.ts";

/** The destination of a server's log lines. */
export interface LogOutput {
  write(line: string): void;
  /** Writes the waiting lines. @returns whether everything is written. */
  flush(): boolean;
}

/**
 * Opens the log of a server. SIGHUP reopens a file, after a tool has moved it away.
 *
 * @param file default: standard error.
 * @throws Fault for a file that cannot be written.
 */
export function openLogOutput(file: string | undefined): LogOutput {
  if (file === undefined) return createLineBatch((lines) => writeSync(2, lines));
  let descriptor = openFile(file);
  let isTold = false;
  const output = createLineBatch(
    (lines) => writeSync(descriptor, lines),
    (error) => {
      // Reported on standard error, because the file cannot be written, and once, because a full disk stays full for a while.
      if (!isTold) tellUnwritable(file, error);
      isTold = true;
    },
  );
  process.on("SIGHUP", () => {
    // Lines that were logged before the signal belong to the old file.
    output.flush();
    try {
      const opened = openFile(file);
      closeSync(descriptor);
      descriptor = opened;
    } catch (error) {
      tellUnwritable(file, error);
    }
  });
  return output;
}

function openFile(file: string): number {
  try {
    return openSync(file, "a", 0o600);
  } catch (error) {
    throw new Fault("configuration", `logFile: ${(error as Error).message}`, { cause: error });
  }
}

function tellUnwritable(file: string, error: unknown): void {
  const log = pino(pino.destination({ dest: 2, sync: true }));
  log.error({ err: error, file }, "the log cannot be written");
}

/** The most that is kept while the log cannot be written; further lines are lost. */
const unwrittenBytesMax = 2 ** 20;
/** With this many bytes waiting, they are written before the turn ends. */
const waitingMax = 2 ** 16;
const retryMs = 100;
const attemptsAtExit = 5;

/**
 * Writes the lines of one turn of the event loop together, because a write for each line took longer than composing it. Warnings
 * and errors are written at once, with the lines before them. Waiting lines are also written when the process ends, even by an
 * error. Only a kill or a crash of the runtime loses the lines of its last turn.
 *
 * pino's own destination was no choice: it ends in an endless loop when the process exits while its disk is full.
 *
 * @param write writes some of the bytes and returns how many, or throws.
 * @package
 */
export function createLineBatch(
  write: (lines: Buffer) => number,
  failed: (error: unknown) => void = () => {},
): LogOutput {
  let waiting = "";
  let unwritten: Buffer = Buffer.alloc(0);
  let isScheduled = false;
  const flushScheduled = () => {
    isScheduled = false;
    flush();
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    if (unwritten.length === 0) setImmediate(flushScheduled);
    else setTimeout(flushScheduled, retryMs).unref();
  };
  const flush = () => {
    unwritten = join(unwritten, Buffer.from(waiting));
    waiting = "";
    try {
      while (unwritten.length > 0) unwritten = unwritten.subarray(write(unwritten));
    } catch (error) {
      // A pipe with a slow reader takes the rest later.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") failed(error);
      schedule();
    }
    return unwritten.length === 0;
  };
  process.on("exit", () => {
    for (let attempt = 1; !flush() && attempt < attemptsAtExit; attempt += 1) {
      Bun.sleepSync(retryMs);
    }
  });
  const output = {
    ...tellsLevel,
    write(line: string) {
      waiting += line;
      schedule();
      const isUrgent = output.lastLevel >= warnLevel || waiting.length >= waitingMax;
      if (isUrgent && unwritten.length === 0) flush();
    },
    flush,
  };
  return output;
}

function join(unwritten: Buffer, lines: Buffer): Buffer {
  if (unwritten.length === 0) return lines;
  const isTooMuch = unwritten.length + lines.length > unwrittenBytesMax;
  return isTooMuch ? unwritten : Buffer.concat([unwritten, lines]);
}

const warnLevel = pino.levels.values["warn"] as number;
/** Makes pino pass the level of each line to the destination. */
const tellsLevel = { [Symbol.for("pino.metadata")]: true, lastLevel: 0 };
