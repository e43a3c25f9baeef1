import { writeSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../../contract/fault.ts";
import { Facts } from "../../contract/people/facts.ts";
import type { Pool } from "../../pool/pool.ts";
import { createFileRefusal } from "../refusal.ts";

export interface ExportOptions {
  /** The lines to write instead of facts. */
  readonly lines?: AsyncIterable<readonly string[]> | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly lines: number; readonly linesTotal: number }) => void;
}

/** Characters in one chunk. Each chunk is compressed as a separate gzip member or zstd frame. */
const charactersPerChunk = 2 ** 20;

/**
 * Writes the facts of all developers as `import` reads them, sorted by login, or other lines. The file appears only when it is
 * complete.
 * @param path the file. It is compressed if the path ends with `.gz` or `.zst`. `-` is standard output.
 * @returns the number of lines, and the number of bytes before compression.
 * @throws Fault when the file cannot be written, or the signal is aborted.
 */
export async function exportFile(
  pool: Pick<Pool, "facts" | "size">,
  path: string,
  options: ExportOptions = {},
) {
  const count = { lines: 0, bytes: 0 };
  const chunks = toChunks(pool, count, options);
  try {
    await (path === "-" ? print(chunks) : writeFile(path, chunks));
  } catch (error) {
    if (path === "-") throw createFileRefusal("standard output", error);
    // Opening creates a missing file, so ENOENT means that the folder is missing.
    const isMissing = (error as { code?: unknown }).code === "ENOENT";
    throw createFileRefusal(isMissing ? dirname(path) : path, error);
  }
  return { file: path, ...count };
}

const retryMilliseconds = 5;

/** Writes to standard output synchronously, because asynchronous writes would hide a full disk. */
async function print(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (let chunk of chunks) {
    while (chunk.length > 0) {
      try {
        chunk = chunk.subarray(writeSync(1, chunk));
      } catch (error) {
        // EAGAIN means that a pipe is full because its reader is slow.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
        await Bun.sleep(retryMilliseconds);
      }
    }
    // Lets the event loop deliver signals.
    await Bun.sleep(0);
  }
}

async function writeFile(path: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const compress = compressor(path);
  const stats = await stat(path).catch(() => undefined);
  // Writes to devices and pipes (`/dev/stdout`) directly, because a rename would replace them.
  const isInPlace = stats !== undefined && !stats.isFile();
  // The draft is in the target's folder, so that the rename stays on one file system.
  const draft = isInPlace ? path : `${path}.${process.pid}.partial`;
  const file = await open(draft, "w", 0o600);
  try {
    for await (const chunk of chunks) await file.writeFile(compress(chunk));
    if (!isInPlace) await file.sync();
    await file.close();
    if (isInPlace) return;
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => {});
    if (!isInPlace) await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

function compressor(path: string): (chunk: Buffer) => Uint8Array {
  if (path.endsWith(".gz")) return (chunk) => Bun.gzipSync(new Uint8Array(chunk), { level: 6 });
  if (path.endsWith(".zst")) return (chunk) => Bun.zstdCompressSync(chunk, { level: 9 });
  return (chunk) => chunk;
}

/** Syncs the folder, so that a power cut cannot undo the rename. Some systems cannot sync a folder, so errors are ignored. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

async function* toChunks(
  pool: Pick<Pool, "facts" | "size">,
  count: { lines: number; bytes: number },
  { signal, onProgress, lines = writeFacts(pool) }: ExportOptions,
): AsyncGenerator<Buffer> {
  const linesTotal = await pool.size();
  let text = "";
  const takeChunk = () => {
    const chunk = Buffer.from(text, "utf8");
    count.bytes += chunk.length;
    text = "";
    onProgress?.({ lines: count.lines, linesTotal });
    return chunk;
  };
  for await (const batch of lines) {
    for (const line of batch) {
      if (signal?.aborted) throw new Fault("interrupted", "Stopped. Nothing was written.");
      text += `${line}\n`;
      count.lines += 1;
      if (text.length >= charactersPerChunk) yield takeChunk();
    }
  }
  if (text !== "") yield takeChunk();
}

async function* writeFacts(pool: Pick<Pool, "facts">): AsyncGenerator<readonly string[]> {
  for await (const batch of pool.facts()) yield batch.map((facts) => JSON.stringify(facts));
}

/** Returns the published JSON Schema of a line of facts. When a change breaks old files, the number in `$id` increases. */
export function createFactsJsonSchema(): Record<string, unknown> {
  // JSON leaves out TypeBox's own annotations, because their keys are symbols.
  const plain = JSON.parse(JSON.stringify(Facts)) as Record<string, unknown>;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:roster:facts:1",
    title: "Facts of one developer",
    ...plain,
  };
}
