/** Where copies of archives are kept outside the data folder. */
import { Fault } from "../../contract/fault.ts";

/** Names archives by simple names, because a command may put a name into the words of a remote shell. */
export interface BackupPlace {
  /** The place in words, for receipts and errors. It contains no secret. */
  readonly label: string;
  /** Sends a file. It replaces one with the same name. @throws Fault `storage`, `interrupted` or the fault of the file. */
  put(name: string, file: string, signal?: AbortSignal): Promise<void>;
  /** Reads a file. The stream ends with a Fault if the file is missing or was cut short. */
  get(name: string, signal?: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>>;
  list(signal?: AbortSignal): Promise<readonly PlacedFile[]>;
  /** Removes a file. A missing file is no error. */
  remove(name: string, signal?: AbortSignal): Promise<void>;
}

export interface PlacedFile {
  readonly name: string;
  /** Undefined if the place does not tell the size. */
  readonly bytes: number | undefined;
}

/** The names that a place may contain. Other files there are not listed. @package */
export const placedName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** How long a place may be silent. A slow transfer takes as long as it needs. @package */
export const silentMsMax = 60_000;

/**
 * Watches a transfer. @package
 * @returns a signal that is aborted with a Fault once nothing was heard for too long, or when `outer` is aborted.
 */
export function watchSilence(label: string, silentMs: number, outer?: AbortSignal) {
  const ending = new AbortController();
  let timer: Timer | undefined;
  let isOver = false;
  const stop = () => ending.abort(new Fault("interrupted", "Stopped."));
  const words = `${label} did nothing for ${silentMs / 1000} seconds.`;
  const hear = () => {
    clearTimeout(timer);
    if (isOver) return;
    timer = setTimeout(() => ending.abort(new Fault("storage", words)), silentMs);
  };
  if (outer?.aborted) stop();
  outer?.addEventListener("abort", stop);
  hear();
  return {
    ...{ signal: ending.signal, hear },
    /** Stops the clock while the reader of a stream is busy. */
    pause: () => clearTimeout(timer),
    end() {
      isOver = true;
      clearTimeout(timer);
      outer?.removeEventListener("abort", stop);
    },
  };
}

/** Turns chunks into a stream that is read no faster than its reader. @package @param read gets a signal that ends it. */
export function streamChunks(
  read: (signal: AbortSignal) => AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>,
  outer?: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const ending = new AbortController();
  const chunks = read(outer ? AbortSignal.any([outer, ending.signal]) : ending.signal);
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        ending.abort();
        await chunks.return().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}
