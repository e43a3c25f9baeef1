/** Reads archives without trusting them. Names, kinds, sizes and checksums must match the manifest. */
import { once } from "node:events";
import { closeSync, createReadStream, fsyncSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { Fault, isFault } from "../contract/fault.ts";
import { requireRoom } from "../sqlite/folder/disk-space.ts";
import { removeFiles } from "../sqlite/folder/move-files.ts";
import { manifestBytesMax, manifestName } from "./archive-form.ts";
import { type AgeIdentity, decryptStream } from "./encryption.ts";
import { type BackupManifest, type BackupMember, parseManifest } from "./manifest.ts";
import type { PlacedArchive } from "./places/place.ts";
import { createFileFault } from "./staging-folder.ts";

export interface BackupProgress {
  readonly bytes: number;
  readonly bytesTotal: number;
  /** The current step and its file, in words. */
  readonly label: string;
}

/** How a caller follows a long work on an archive, and stops it. */
export interface BackupHearing {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
}

export interface ReadOptions extends BackupHearing {
  /** Where the archive is if it is no file. */
  readonly placed?: PlacedArchive | undefined;
  /** Opens an encrypted archive. */
  readonly identity?: AgeIdentity | undefined;
}

/** Reads only the manifest of an archive. @throws Fault `not_found`, `damaged_backup` or `newer_backup`. */
export async function openArchive(
  file: string,
  reading: ReadOptions = {},
): Promise<BackupManifest> {
  return withEntries(file, reading, (entries) => readManifest(entries, file));
}

/**
 * Unpacks an archive into a folder. Each file is checked against the manifest. After an error, the unpacked files are removed.
 * @param file the archive, or `-` for standard input.
 * @param folder if undefined, the archive is only checked.
 * @throws Fault `not_found`, `damaged_backup`, `encrypted_backup`, `newer_backup` or `interrupted`.
 * @throws Fault `no_space` or `system` if the disk cannot be written.
 */
export async function unpackArchive(
  file: string,
  folder: string | undefined,
  { onProgress, ...reading }: ReadOptions = {},
): Promise<BackupManifest> {
  const unpacked: string[] = [];
  try {
    return await withEntries(file, reading, async (entries) => {
      const manifest = await readManifest(entries, file);
      const bytesTotal = manifest.members.reduce((sum, { bytes }) => sum + bytes, 0);
      if (folder) requireRoom(join(folder, manifestName), bytesTotal);
      let done = 0;
      for (const member of manifest.members) {
        const entry = await takeEntry(entries, member, file);
        const path = folder && join(folder, member.name);
        await unpackMember(entry, member, { file, path, unpacked }, (bytes) => {
          done += bytes;
          onProgress?.({ bytes: done, bytesTotal, label: member.name });
        });
      }
      const { done: isAtEnd } = await entries.next();
      if (!isAtEnd) throw createDamageFault(file, "it contains more than its manifest lists");
      return manifest;
    });
  } catch (error) {
    for (const path of unpacked) removeFiles(path);
    throw error;
  }
}

type Entries = AsyncGenerator<ParsedTarEntry, void, undefined>;

async function withEntries<Result>(
  file: string,
  reading: ReadOptions,
  use: (entries: Entries) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const end = () => ending.abort(new Fault("interrupted", "Stopped. Nothing was unpacked."));
  if (reading.signal?.aborted) end();
  reading.signal?.addEventListener("abort", end);
  const entries = readEntries(file, { ...reading, signal: ending.signal });
  try {
    return await use(entries);
  } catch (error) {
    throw toArchiveFault(file, error, reading.identity !== undefined);
  } finally {
    reading.signal?.removeEventListener("abort", end);
    end();
    await entries.return().catch(() => {});
  }
}

async function* readEntries(file: string, { signal, placed, identity }: ReadOptions): Entries {
  const until = signal ? { signal } : {};
  await using opened = placed || file === "-" ? undefined : openFile(file);
  const stored = opened?.stream ?? placed?.place.get(placed.name, signal) ?? Bun.stdin.stream();
  yield* (await decryptStream(stored, nameOf(file), identity))
    .pipeThrough(new DecompressionStream("zstd"), until)
    .pipeThrough(createTarDecoder({ strict: true }), until);
}

/** Opens a file as a stream that is closed for sure when it is disposed. @package */
export function openFile(file: string) {
  if (statSync(file).isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  const source = createReadStream(file);
  return {
    stream: Readable.toWeb(source) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>,
    async [Symbol.asyncDispose]() {
      source.destroy();
      // An error of the file was passed on by the stream.
      if (!source.closed) await once(source, "close").catch(() => {});
    },
  };
}

async function readManifest(entries: Entries, file: string): Promise<BackupManifest> {
  const { value: entry } = await entries.next();
  const size = entry?.header.size ?? 0;
  if (entry?.header.name !== manifestName || size > manifestBytesMax) {
    throw new Fault("damaged_backup", `${nameOf(file)} is not a Roster backup.`);
  }
  return parseManifest(await new Response(entry.body).text(), nameOf(file));
}

async function takeEntry(
  entries: Entries,
  { name, bytes }: BackupMember,
  file: string,
): Promise<ParsedTarEntry> {
  const { value: entry } = await entries.next();
  if (!entry) throw createDamageFault(file, `it ends before ${name}`);
  const { header } = entry;
  if (header.name !== name || header.type !== "file") {
    throw createDamageFault(
      file,
      `it contains ${header.name} (${header.type}) in place of ${name}`,
    );
  }
  if (header.size !== bytes) {
    throw createDamageFault(file, `${name} has ${header.size} bytes in place of ${bytes}`);
  }
  return entry;
}

/** @param unpacked the paths of the files created so far. */
async function unpackMember(
  { body }: ParsedTarEntry,
  { name, sha256 }: BackupMember,
  { file, path, unpacked }: { file: string; path: string | undefined; unpacked: string[] },
  hear: (bytes: number) => void,
): Promise<void> {
  const write = path === undefined ? undefined : openMember(path);
  if (path !== undefined) unpacked.push(path);
  try {
    const hasher = new Bun.CryptoHasher("sha256");
    for await (const chunk of body) {
      write?.write(chunk);
      hasher.update(chunk);
      hear(chunk.length);
    }
    if (hasher.digest("hex") !== sha256) {
      throw createDamageFault(file, `the checksum of ${name} is wrong`);
    }
    write?.sync();
  } finally {
    write?.close();
  }
}

/** Creates a file to unpack to. Its errors become Faults, because they do not mean that the archive is damaged. */
function openMember(path: string) {
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw createFileFault(path, error);
    }
  };
  // "wx" refuses an existing file or link.
  const file = attempt(() => openSync(path, "wx", 0o600));
  return {
    write: (bytes: Uint8Array) =>
      attempt(() => {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      }),
    sync: () => attempt(() => fsyncSync(file)),
    close: () => closeSync(file),
  };
}

function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}

function createDamageFault(file: string, reason: string, options?: ErrorOptions): Fault {
  return new Fault("damaged_backup", `${nameOf(file)} is damaged: ${reason}.`, options);
}

function toArchiveFault(file: string, error: unknown, isEncrypted: boolean): Fault {
  if (isFault(error)) return error;
  const { code, message = String(error) } = error as { code?: string; message?: string };
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return createFileFault(nameOf(file), error);
  const known = /end of file|truncated/i.test(message) ? "it is cut short" : message;
  // Decryption notices each change, and has no ordinary words for it.
  const reason = isEncrypted ? "it is changed or cut short" : known;
  return createDamageFault(file, reason.replace(/\.$/, ""), { cause: error });
}
