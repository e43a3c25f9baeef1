/**
 * Bytes of a file or of standard input, uncompressed. The content decides how, not the name: people
 * rename files, and standard input has no name.
 */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Fault, isFault } from "../contract/fault.ts";
import { createFileRefusal } from "./refusal.ts";

/** @package */
export interface ByteSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes taken from the file so far, as stored; for progress. */
  readonly taken: () => number;
  /** Size of the file as stored; unknown for a pipe. */
  readonly total: number | undefined;
}

const magic = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
} as const;

/**
 * @package
 * @param path a file, or `-` for standard input.
 * @throws Fault when it is missing, a folder or empty; the bytes throw one when they are damaged.
 */
export async function readBytes(path: string): Promise<ByteSource> {
  const total = path === "-" ? undefined : await sizeOf(path);
  const stored = path === "-" ? Bun.stdin.stream() : createReadStream(path);
  let taken = 0;
  async function* counted() {
    for await (const chunk of stored as AsyncIterable<Uint8Array>) {
      taken += chunk.length;
      yield chunk;
    }
  }
  const chunks = counted();
  const start = await takeStart(chunks, path);
  return {
    bytes: uncompressed(start, chunks, { path, taken: () => taken }),
    taken: () => taken,
    total,
  };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    throw createFileRefusal(path, error);
  }
}

/** Enough bytes to know the compression by; a pipe may bring them one at a time. */
async function takeStart(chunks: AsyncGenerator<Uint8Array>, path: string): Promise<Uint8Array> {
  let start = new Uint8Array();
  try {
    while (start.length < magic.zstd.length) {
      const { value, done } = await chunks.next();
      if (done) break;
      start = Buffer.concat([start, value]);
    }
  } catch (error) {
    throw createFileRefusal(path, error);
  }
  if (start.length === 0) throw new Fault("refused", `${path} is empty.`);
  return start;
}

/** What is compressed grows by ten to fifty times; a file made to fill memory and time, by thousands. */
const growthMax = 200;
/** Of so little nobody needs to be afraid. */
const harmlessBytes = 16 * 2 ** 20;

async function* uncompressed(
  start: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  { path, taken }: { readonly path: string; readonly taken: () => number },
): AsyncGenerator<Uint8Array> {
  const startsWith = (bytes: readonly number[]) => bytes.every((byte, at) => start[at] === byte);
  const form = startsWith(magic.gzip) ? "gzip" : startsWith(magic.zstd) ? "zstd" : undefined;
  const stored = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(new Uint8Array(start));
    },
    async pull(controller) {
      const { value, done } = await rest.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel: async () => {
      await rest.return(undefined);
    },
  });
  try {
    if (!form) {
      yield* stored;
      return;
    }
    let grown = 0;
    for await (const chunk of stored.pipeThrough(new DecompressionStream(form))) {
      grown += chunk.length;
      if (grown > Math.max(harmlessBytes, taken() * growthMax)) {
        const reason = `unpacks to more than ${growthMax} times its size`;
        throw new Fault("refused", `${path} ${reason}: no file of facts does.`);
      }
      yield chunk;
    }
  } catch (error) {
    if (!form || isFault(error)) throw createFileRefusal(path, error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault("refused", `${path} is a damaged or cut-off ${form} file: ${reason}.`, {
      cause: error,
    });
  }
}
