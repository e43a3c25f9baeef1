/** Reads the uncompressed bytes of a file or of standard input. Compression is detected from the content. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { Fault, isFault } from "../contract/fault.ts";
import { readStandardInput } from "../contract/standard-input.ts";
import { createFileRefusal } from "./refusal.ts";

/** @package */
export type ByteSource = Awaited<ReturnType<typeof readBytes>>;

const magic = { gzip: [0x1f, 0x8b], zstd: [0x28, 0xb5, 0x2f, 0xfd] } as const;

/**
 * @package
 * @param path a file, or `-` for standard input.
 * @throws Fault when the file is missing, empty or a folder. Reading `bytes` throws a Fault when the bytes are damaged.
 */
export async function readBytes(path: string, signal?: AbortSignal) {
  const total = path === "-" ? undefined : await sizeOf(path);
  const stored = path === "-" ? readStandardInput(signal) : createReadStream(path);
  let taken = 0;
  async function* countBytes() {
    try {
      for await (const chunk of stored as AsyncIterable<Uint8Array>) {
        taken += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw createFileRefusal(path, error);
    }
  }
  const rest = countBytes();
  let start = new Uint8Array();
  // Reads until the signature is complete, because a pipe may deliver one byte at a time.
  while (start.length < magic.zstd.length) {
    const { value, done } = await rest.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  if (signal?.aborted) throw new Fault("interrupted", `Stopped while reading ${path}.`);
  if (start.length === 0) throw new Fault("refused", `${path} is empty.`);
  async function* joinStart() {
    yield start;
    yield* rest;
  }
  return {
    bytes: uncompress(joinStart(), start, path, () => taken),
    /** Bytes read from the file so far, before decompression. */
    taken: () => taken,
    /** Size of the file in bytes before decompression; undefined for a pipe. */
    total,
  };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    throw createFileRefusal(path, error);
  }
}

/** The largest accepted ratio of unpacked to packed size. Facts have 10 to 50. Decompression bombs have thousands. */
const growthMax = 200;
/** Unpacked content up to this size is accepted at any ratio. */
const harmlessBytes = 16 * 2 ** 20;

async function* uncompress(
  stored: AsyncIterable<Uint8Array>,
  start: Uint8Array,
  path: string,
  taken: () => number,
): AsyncGenerator<Uint8Array> {
  const startsWith = (bytes: readonly number[]) => bytes.every((byte, at) => start[at] === byte);
  const format = startsWith(magic.gzip) ? "gzip" : startsWith(magic.zstd) ? "zstd" : undefined;
  if (!format) return yield* stored;
  const bytes = Readable.toWeb(Readable.from(stored)) as ReadableStream<Uint8Array<ArrayBuffer>>;
  let unpacked = 0;
  try {
    for await (const chunk of bytes.pipeThrough(new DecompressionStream(format))) {
      unpacked += chunk.length;
      if (unpacked > Math.max(harmlessBytes, taken() * growthMax)) {
        const reason = `unpacks to more than ${growthMax} times its size`;
        throw new Fault("refused", `${path} ${reason}. A file of facts never does that.`);
      }
      yield chunk;
    }
  } catch (error) {
    if (isFault(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${path} is a damaged or cut-off ${format} file: ${reason}.`;
    throw new Fault("refused", message, { cause: error });
  }
}
