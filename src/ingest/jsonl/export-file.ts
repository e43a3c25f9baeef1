import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Pool } from "../../pool/pool.ts";
import { fileRefusal, IngestRefusal } from "./refusal.ts";

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
 * @param path `.gz` and `.zst` compress; `-` is standard output, plain.
 * @throws IngestRefusal when it cannot be written, or was stopped.
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
    throw fileRefusal(path, error);
  }
  return { file: path, ...count };
}

async function print(chunks: Iterable<Buffer>): Promise<void> {
  const output = Bun.stdout.writer();
  for (const chunk of chunks) {
    output.write(chunk);
    await output.flush();
  }
}

async function writeWhole(path: string, chunks: Iterable<Buffer>): Promise<void> {
  const compress = compressor(path);
  // Beside the target, so that the rename stays on one file system.
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, "w", 0o600);
  try {
    for (const chunk of chunks) await file.writeFile(compress(chunk));
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

function* asChunks(
  pool: Pick<Pool, "facts" | "size">,
  count: { lines: number; bytes: number },
  { signal, onProgress }: ExportOptions,
): Generator<Buffer> {
  const linesTotal = pool.size();
  let text = "";
  const take = () => {
    const chunk = Buffer.from(text, "utf8");
    count.bytes += chunk.length;
    text = "";
    onProgress?.({ lines: count.lines, linesTotal });
    return chunk;
  };
  for (const facts of pool.facts()) {
    if (signal?.aborted) throw new IngestRefusal("interrupted", "Stopped. Nothing was written.");
    text += `${JSON.stringify(facts)}\n`;
    count.lines += 1;
    if (text.length >= charactersPerChunk) yield take();
  }
  if (text !== "") yield take();
}
