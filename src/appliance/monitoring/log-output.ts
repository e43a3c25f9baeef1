import { closeSync, openSync, writeSync } from "node:fs";
import pino from "pino";
import { Fault } from "../../contract/fault.ts";

/**
 * Opens the log of a server. On SIGHUP it opens the file again, because a tool may have moved the file away.
 * @param file the log file. The default is standard error.
 * @throws Fault for a file that cannot be written.
 */
export function openLogOutput(file: string | undefined) {
  if (file === undefined) return createLineOutput((lines) => writeSync(2, lines));
  let descriptor = openFile(file);
  let isReported = false;
  const output = createLineOutput(
    (lines) => writeSync(descriptor, lines),
    (error) => {
      // Only the first failure is reported, because a full disk stays full for a while.
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

/** The most bytes that are buffered while the log cannot be written. Further lines are lost. */
const waitingBytesMax = 2 ** 20;
const retryMs = 100;
const attemptsAtExit = 5;

/**
 * Writes each line immediately. If a full disk or a slow reader takes no lines, the lines are buffered and written later.
 * @param write writes some of the bytes and returns their number, or throws. @package
 */
export function createLineOutput(
  write: (lines: Buffer) => number,
  failed: (error: unknown) => void = () => {},
) {
  let waiting: Buffer = Buffer.alloc(0);
  let retry: Timer | undefined;
  /** @returns whether all lines are written. */
  const flush = () => {
    try {
      while (waiting.length > 0) waiting = waiting.subarray(write(waiting));
    } catch (error) {
      // EAGAIN means that the reader of a pipe is slow.
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
      // While a retry is scheduled, only the timer writes. A server must not try a full disk at each call.
      if (!retry) flush();
    },
    flush,
  };
}
