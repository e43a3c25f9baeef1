import { closeSync, openSync, writeSync } from "node:fs";
import pino from "pino";
import { Fault } from "../../contract/fault.ts";

/**
 * Opens the log of a server. After a tool has moved the log file away, SIGHUP opens a new one.
 * @param file the log file; default: standard error.
 * @throws Fault for a file that cannot be written.
 */
export function openLogOutput(file: string | undefined) {
  if (file === undefined) return createLineOutput((lines) => writeSync(2, lines));
  let descriptor = openFile(file);
  let isReported = false;
  const output = createLineOutput(
    (lines) => writeSync(descriptor, lines),
    (error) => {
      // Report only the first failure: a full disk stays full for a while.
      if (!isReported) reportUnwritable(file, error);
      isReported = true;
    },
  );
  process.on("SIGHUP", () => {
    try {
      const opened = openFile(file);
      closeSync(descriptor);
      descriptor = opened;
    } catch (error) {
      reportUnwritable(file, error);
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

/** Reports on standard error, because the log file cannot be written. */
function reportUnwritable(file: string, error: unknown): void {
  const log = pino(pino.destination({ dest: 2, sync: true }));
  log.error({ err: error, file }, "the log cannot be written");
}

/** The most bytes that are buffered while the log cannot be written. Lines beyond that are lost. */
const waitingBytesMax = 2 ** 20;
const retryMs = 100;
const attemptsAtExit = 5;

/**
 * Writes each line immediately. Lines that a full disk or a slow reader does not take are buffered and retried, even when the
 * process ends. pino's own destination would loop forever if the process ends while the disk is full.
 * @param write writes some of the bytes and returns how many, or throws. @package
 */
export function createLineOutput(
  write: (lines: Buffer) => number,
  failed: (error: unknown) => void = () => {},
) {
  let waiting: Buffer = Buffer.alloc(0);
  let retry: Timer | undefined;
  /** @returns whether nothing is left to write. */
  const flush = () => {
    try {
      while (waiting.length > 0) waiting = waiting.subarray(write(waiting));
    } catch (error) {
      // The reader of a pipe is slow. It takes the rest later.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") failed(error);
      retry ??= setTimeout(() => {
        retry = undefined;
        flush();
      }, retryMs).unref();
    }
    return waiting.length === 0;
  };
  process.on("exit", () => {
    for (let attempt = 1; !flush() && attempt < attemptsAtExit; attempt += 1) {
      Bun.sleepSync(retryMs);
    }
  });
  return {
    write(text: string) {
      const line = Buffer.from(text);
      if (waiting.length + line.length > waitingBytesMax) return;
      waiting = waiting.length === 0 ? line : Buffer.concat([waiting, line]);
      // While lines are buffered, only the timer writes: on a full disk, a server must not try again at each call.
      if (!retry) flush();
    },
    flush,
  };
}
