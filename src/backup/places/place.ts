/** Where archives are kept outside the data folder. Names are simple, because commands may pass them to a remote shell. */
import { ReadableStream as NodeStream } from "node:stream/web";
import { Fault } from "../../contract/fault.ts";

export type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>;

export type Chunks = AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;

export interface BackupPlace {
  /** The place in words. It contains no secret. */
  readonly label: string;
  /** Sends a file, and replaces one with the same name. @throws Fault like all methods. */
  put(name: string, file: string, signal?: AbortSignal): Promise<void>;
  /** The stream ends with a Fault if the file is missing (`not_found`) or arrives cut short. */
  get(name: string, signal?: AbortSignal): ByteStream;
  list(signal?: AbortSignal): Promise<readonly PlacedFile[]>;
  /** Removes a file. A missing file is no error. */
  remove(name: string, signal?: AbortSignal): Promise<void>;
}

export interface PlacedFile {
  readonly name: string;
  /** Undefined if the place does not tell the size. */
  readonly bytes: number | undefined;
}

/** An archive at a place. */
export interface PlacedArchive {
  readonly place: BackupPlace;
  readonly name: string;
}

/** The names that a place may contain. Other files there are not listed. @package */
export const placedName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** How long a place may be silent. A slow transfer takes as long as it needs. */
const silentMsMax = 60_000;
/** Multiplies it once a file is handed over: some megabytes may still be on their way, and the place may check them. @package */
export const atEnd = 10;

/** @package @returns a signal that is aborted with a Fault when `outer` is, or when nothing was heard for too long. */
export function watchSilence(label: string, outer?: AbortSignal, silentMs = silentMsMax) {
  const ending = new AbortController();
  let timer: Timer | undefined;
  const stop = () => ending.abort(new Fault("interrupted", "Stopped."));
  const late = new Fault("storage", `${label} did nothing for ${silentMs / 1000} seconds.`);
  const hear = (times = 1) => {
    clearTimeout(timer);
    timer = setTimeout(() => ending.abort(late), times * silentMs);
  };
  const end = () => {
    clearTimeout(timer);
    outer?.removeEventListener("abort", stop);
  };
  outer?.addEventListener("abort", stop);
  hear();
  if (outer?.aborted) stop();
  return { signal: ending.signal, hear, end };
}

/** Makes a stream that is read no faster than its reader. @package */
export const streamChunks = (chunks: Chunks) => NodeStream.from(chunks) as unknown as ByteStream;
