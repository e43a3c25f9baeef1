/**
 * Reads and writes the file of a generation. A reader verifies the checksum. If the file is lost or damaged, the index is rebuilt
 * from the pool.
 */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { createGeneration, type Generation } from "./generation.ts";
import { countBytesNeeded, type GenerationExtent, headerBytes } from "./layout.ts";

/** What a generation is built from. */
export interface GenerationSource {
  readonly revision: number;
  /** Identifies the program's own data (gazetteer, vocabulary, model) that shaped the lists. */
  readonly edition: string;
}

/** The version of the file. Increase it with every change of the layout or of the meaning of a list. */
const format = 6;
const magic = "ROSTERIX";
/** The reason given when there is no file. @package */
export const missingFile = "is missing";
/** The first byte that the checksum covers. */
const checkedFrom = 24;

/**
 * Maps the file into memory and verifies its checksum. The mapping stays valid when a newer file replaces this one. If another
 * process truncates the file in place, this process crashes.
 * @param wanted the expected source. Without a revision, any revision is accepted. With `isJustWritten`, the checksum is not
 * verified.
 * @returns the generation, or why the file cannot be used.
 */
export function readGeneration(
  path: string,
  wanted: WantedGeneration,
): Generation | { readonly fault: string } {
  const bytes = openBytes(path);
  if ("fault" in bytes) return bytes;
  const { buffer } = bytes;
  const fault = findFault(buffer, wanted);
  if (fault !== undefined) {
    buffer.transfer(0);
    return { fault };
  }
  return openSealedGeneration(buffer);
}

type WantedGeneration = Omit<GenerationSource, "revision"> & {
  readonly revision?: number;
  readonly isJustWritten?: boolean;
};

function findFault(buffer: ArrayBuffer, wanted: WantedGeneration): string | undefined {
  if (buffer.byteLength < headerBytes) return "is truncated";
  const found = readHeader(buffer);
  if (found.magic !== magic) return "is not a search index";
  if (found.format !== format) return `has form ${found.format}, not ${format}`;
  if (found.edition !== Bun.hash.xxHash3(wanted.edition)) return "is another version's";
  if (wanted.revision !== undefined && found.revision !== wanted.revision) {
    return `is of revision ${found.revision}, but the pool is of revision ${wanted.revision}`;
  }
  if (!wanted.isJustWritten && found.checksum !== checksumOf(buffer)) {
    return "is damaged: its checksum is wrong";
  }
  return buffer.byteLength === countBytesNeeded(found.extent) ? undefined : "is truncated";
}

/** Frees the memory immediately instead of at the next garbage collection. The generation must not be used afterwards. */
export function releaseGeneration({ buffer }: Generation): void {
  buffer.transfer(0);
}

/** Opens a generation in a buffer that was sealed in this process. */
export function openSealedGeneration(buffer: ArrayBuffer): Generation {
  const { extent, revision } = readHeader(buffer);
  return createGeneration(buffer, extent, revision);
}

/**
 * Replaces the file in one step: a reader finds either the whole old file or the whole new one.
 * @throws the file system's error, for example if the disk is full. The old file then remains.
 */
export function writeGeneration(path: string, { buffer }: Generation): void {
  removeLeftovers(path);
  const next = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(next, new Uint8Array(buffer), { mode: 0o600, flag: "wx" });
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/** @returns why the file could not be written; undefined on success. */
export function tryToWrite(path: string, generation: Generation): string | undefined {
  try {
    writeGeneration(path, generation);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/**
 * Assembles the file from downloaded parts.
 * @returns undefined if the parts are not a complete generation of this edition and revision. The file is then unchanged.
 */
export async function loadGeneration(
  parts: AsyncIterable<Uint8Array>,
  {
    file,
    edition,
    revision,
  }: { readonly file: string; readonly edition: string; readonly revision: number },
): Promise<Generation | undefined> {
  removeLeftovers(file);
  const next = `${file}.${process.pid}.tmp`;
  const target = openSync(next, "wx", 0o600);
  try {
    let isFirst = true;
    for await (const part of parts) {
      if (isFirst && readRevision(part) !== revision) return undefined;
      isFirst = false;
      writeSync(target, part);
    }
    const found = readGeneration(next, { edition, revision });
    if ("fault" in found) return undefined;
    renameSync(next, file);
    return found;
  } finally {
    closeSync(target);
    rmSync(next, { force: true });
  }
}

/** Removes the file, and the temporary files of killed processes. */
export function removeGeneration(path: string): void {
  removeLeftovers(path);
  rmSync(path, { force: true });
}

/** Writes the header into the buffer of a new generation. The buffer is then identical to the file. */
export function sealGeneration(
  buffer: ArrayBuffer,
  extent: GenerationExtent,
  { revision, edition }: GenerationSource,
): void {
  const head = new DataView(buffer, 0, headerBytes);
  for (let at = 0; at < magic.length; at++) head.setUint8(at, magic.charCodeAt(at));
  head.setUint32(8, format, true);
  head.setFloat64(24, revision, true);
  head.setBigUint64(32, Bun.hash.xxHash3(edition), true);
  head.setFloat64(40, extent.developers, true);
  head.setFloat64(48, extent.lists, true);
  head.setFloat64(56, extent.keyUnits, true);
  head.setFloat64(64, extent.ordinals, true);
  head.setFloat64(72, extent.strengths, true);
  head.setBigUint64(16, checksumOf(buffer), true);
}

function readHeader(buffer: ArrayBuffer) {
  const head = new DataView(buffer, 0, headerBytes);
  return {
    magic: String.fromCharCode(...new Uint8Array(buffer, 0, magic.length)),
    format: head.getUint32(8, true),
    checksum: head.getBigUint64(16, true),
    revision: head.getFloat64(24, true),
    edition: head.getBigUint64(32, true),
    extent: {
      developers: head.getFloat64(40, true),
      lists: head.getFloat64(48, true),
      keyUnits: head.getFloat64(56, true),
      ordinals: head.getFloat64(64, true),
      strengths: head.getFloat64(72, true),
    },
  };
}

function readRevision({ buffer, byteOffset, byteLength }: Uint8Array): number | undefined {
  if (byteLength < headerBytes) return undefined;
  return new DataView(buffer, byteOffset, headerBytes).getFloat64(24, true);
}

function checksumOf(buffer: ArrayBuffer): bigint {
  return Bun.hash.xxHash3(new Uint8Array(buffer, checkedFrom));
}

function openBytes(path: string): Uint8Array<ArrayBuffer> | { readonly fault: string } {
  try {
    return Bun.mmap(path, { shared: false });
  } catch {
    // Bun.mmap cannot map an empty or write-protected file. The file is then read instead.
    return readWhole(path);
  }
}

function readWhole(path: string): Uint8Array<ArrayBuffer> | { readonly fault: string } {
  try {
    // Copies the bytes only if they share their buffer, because a generation uses the whole buffer.
    const bytes = readFileSync(path);
    return bytes.buffer.byteLength === bytes.length ? bytes : new Uint8Array(bytes);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return {
      fault: code === "ENOENT" ? missingFile : `cannot be read (${String(code ?? error)})`,
    };
  }
}

/** Removes temporary files left by processes that were killed while writing. */
export function removeLeftovers(path: string): void {
  const leftover = new RegExp(`^${RegExp.escape(basename(path))}\\.\\d+\\.tmp$`);
  for (const name of readdirSync(dirname(path))) {
    if (leftover.test(name)) rmSync(join(dirname(path), name), { force: true });
  }
}
