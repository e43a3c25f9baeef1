import { writeSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../contract/fault.ts";
import { Facts } from "../contract/people/facts.ts";
import type { Pool } from "../pool/pool.ts";
import { createFileRefusal } from "./refusal.ts";

export interface ExportOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly lines: number; readonly linesTotal: number }) => void;
}

export interface ExportSummary {
  readonly file: string;
  readonly lines: number;
  /** Before compression. */
  readonly bytes: number;
}

/** Also the unit of compression: each chunk is a gzip member or zstd frame of its own, which every reader joins. */
const charactersPerChunk = 2 ** 20;

/**
 * Writes every developer's facts, by login in code-unit order: what `import` reads, and the same pool gives
 * the same bytes. A file appears whole or not at all.
 *
 * @param path `.gz` and `.zst` compress; `-` is standard output, plain; a device or pipe is written to as it is.
 * @throws Fault when it cannot be written, or was stopped.
 */
export async function exportFile(
  pool: Pick<Pool, "facts" | "size">,
  path: string,
  options: ExportOptions = {},
): Promise<ExportSummary> {
  const count = { lines: 0, bytes: 0 };
  const chunks = asChunks(pool, count, options);
  try {
    await (path === "-" ? print(chunks) : writeWhole(path, chunks));
  } catch (error) {
    if (path === "-") throw createFileRefusal("standard output", error);
    // A file that is to be made cannot be missing: its folder is.
    const isMissing = (error as { code?: unknown }).code === "ENOENT";
    throw createFileRefusal(isMissing ? dirname(path) : path, error);
  }
  return { file: path, ...count };
}

const retryMilliseconds = 5;

/** At once and whole, so that a full disk or a reader that went away is noticed. */
async function print(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (let chunk of chunks) {
    while (chunk.length > 0) {
      try {
        chunk = chunk.subarray(writeSync(1, chunk));
      } catch (error) {
        // A pipe that does not block is full: its reader is slow.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
        await Bun.sleep(retryMilliseconds);
      }
    }
    // A signal is delivered only when this process is given a moment.
    await Bun.sleep(0);
  }
}

async function writeWhole(path: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const compress = compressor(path);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  if (found && !found.isFile()) return writeInto(path, chunks, compress);
  // Beside the target, so that the rename stays on one file system.
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, "w", 0o600);
  try {
    for await (const chunk of chunks) await file.writeFile(compress(chunk));
    await file.sync();
    await file.close();
    await rename(partial, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** A device or a pipe (/dev/stdout) is written to: a file renamed into its place would break the machine. */
async function writeInto(
  path: string,
  chunks: AsyncIterable<Buffer>,
  compress: (chunk: Buffer) => Uint8Array,
): Promise<void> {
  const device = await open(path, "w");
  try {
    for await (const chunk of chunks) await device.writeFile(compress(chunk));
  } finally {
    await device.close();
  }
}

function compressor(path: string): (chunk: Buffer) => Uint8Array {
  if (path.endsWith(".gz")) return (chunk) => Bun.gzipSync(new Uint8Array(chunk), { level: 6 });
  if (path.endsWith(".zst")) return (chunk) => Bun.zstdCompressSync(chunk, { level: 9 });
  return (chunk) => chunk;
}

/** The name itself must survive a power cut. Not every system can sync a folder; the file is whole all the same. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

async function* asChunks(
  pool: Pick<Pool, "facts" | "size">,
  count: { lines: number; bytes: number },
  { signal, onProgress }: ExportOptions,
): AsyncGenerator<Buffer> {
  const linesTotal = await pool.size();
  let text = "";
  const take = () => {
    const chunk = Buffer.from(text, "utf8");
    count.bytes += chunk.length;
    text = "";
    onProgress?.({ lines: count.lines, linesTotal });
    return chunk;
  };
  for await (const batch of pool.facts()) {
    for (const facts of batch) {
      if (signal?.aborted) throw new Fault("interrupted", "Stopped. Nothing was written.");
      text += `${JSON.stringify(facts)}\n`;
      count.lines += 1;
      if (text.length >= charactersPerChunk) yield take();
    }
  }
  if (text !== "") yield take();
}

/**
 * The published JSON Schema of one line of `import` and `export`: the very object that checks them.
 * The identifier names the form, not an address; a change that old files do not fit raises its number.
 */
export function createFactsJsonSchema(): Record<string, unknown> {
  // The library's marks are symbols: they fall away in JSON.
  const plain = JSON.parse(JSON.stringify(Facts)) as Record<string, unknown>;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:roster:facts:1",
    title: "Facts of one developer",
    ...plain,
  };
}
