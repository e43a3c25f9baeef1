/** Runs in the worker thread. Copies the files of a folder, describes the copies in a manifest, and packs them. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createTarPacker, type TarPackController } from "modern-tar";
import { Fault, isFault } from "../contract/fault.ts";
import { type DatabaseName, databaseNames, settingsName } from "../data-files/file-names.ts";
import { removeErasedLogins } from "../pool/sqlite/sqlite-pool.ts";
import { copyDatabase, measureDatabase, summariseDatabase } from "../sqlite/copy-database.ts";
import { requireRoom } from "../sqlite/folder/disk-space.ts";
import { removeFiles } from "../sqlite/folder/move-files.ts";
import { archivedNames, chooseArchiveForm, manifestName } from "./archive-form.ts";
import { countHoldings } from "./count-holdings.ts";
import { type AgeIdentity, encryptStream } from "./encryption.ts";
import type { BackupManifest, BackupMember } from "./manifest.ts";
import { type BackupProgress, openFile, unpackArchive } from "./read-archive.ts";
import { createFileFault } from "./staging-folder.ts";

/** The job for the worker. @package */
export interface ArchiveJob {
  readonly data: string;
  /** A private folder for the copies. */
  readonly staging: string;
  /** The output for the archive: a new file, a device or a pipe. 1 is standard output. */
  readonly output: string | 1;
  /** The name of the output in error messages. */
  readonly target: string;
  readonly version: string;
  readonly madeAt: string;
  readonly applicationIds: Readonly<Record<DatabaseName, number>>;
  /** The age recipients who can open the archive. If empty, it is not encrypted. */
  readonly recipients: readonly string[];
}

/** @package */
export type EncryptionJob = Pick<ArchiveJob, "target" | "recipients"> & { readonly source: string };
/** @package */
export type WriteJob = ArchiveJob | EncryptionJob;

/** @package */
export interface WrittenArchive {
  readonly manifest: BackupManifest;
  readonly bytes: number;
  /** The SHA-256 of the whole archive, in hexadecimal. */
  readonly sha256: string;
}

export type WrittenFile = Omit<WrittenArchive, "manifest">;

type Hear = (label: string, bytes: number) => void;

/** @package @throws Fault if the folder cannot be copied. @throws the system's error if the archive cannot be written. */
export async function writeArchive(
  job: ArchiveJob,
  onProgress: (progress: BackupProgress) => void,
): Promise<WrittenArchive> {
  const names = archivedNames.filter((name) => existsSync(join(job.data, name)));
  const settings = join(job.data, settingsName);
  const sizes = names.map((name) => measureDatabase(join(job.data, name)));
  const size = sizes.reduce((sum, each) => sum + each, 0);
  // An archive may be as large as the copies, because not all data can be compressed.
  const staysOnDisk = dirname(`${job.output}`) === job.staging;
  requireRoom(job.staging, staysOnDisk ? 2 * size : size);
  const hear = createHearer(3 * size, onProgress);
  for (const name of names) {
    hear(`copying ${name}`, 0);
    copy(join(job.data, name), join(job.staging, name), job);
    hear(`copying ${name}`, statSync(join(job.staging, name)).size);
  }
  if (existsSync(settings)) copyFileSync(settings, join(job.staging, settingsName));
  const last = existsSync(settings) ? ([settingsName] as const) : [];
  const manifest = describe(job, [...names, ...last], hear);
  const { written, identity } = await pack(job, manifest, hear);
  if (staysOnDisk) await readBack(job, hear, identity);
  return { manifest, ...written };
}

async function readBack({ output, target }: ArchiveJob, hear: Hear, identity?: AgeIdentity) {
  const onProgress = ({ label }: BackupProgress) => hear(`reading back ${label}`, 0);
  await unpackArchive(`${output}`, undefined, { identity, onProgress }).catch((error) => {
    if (!isFault(error, "damaged_backup")) throw error;
    throw new Fault("system", `${target} was not made: what was written reads back damaged.`);
  });
}

/** @package @throws the system's error if a file cannot be read or written. */
export async function writeEncrypted(
  { source, target, recipients }: EncryptionJob,
  onProgress: (progress: BackupProgress) => void,
): Promise<WrittenFile> {
  const hear = createHearer(statSync(source).size, onProgress);
  await using opened = openFile(source);
  const { stream } = await encryptStream(opened.stream, recipients);
  return await writeOut(stream, target, (bytes) => hear("encrypting", bytes));
}

function createHearer(bytesTotal: number, onProgress: (progress: BackupProgress) => void): Hear {
  let done = 0;
  return (label, bytes) => {
    done = Math.min(done + bytes, bytesTotal);
    onProgress({ bytes: done, bytesTotal, label });
  };
}

function copy(path: string, staged: string, { target }: ArchiveJob): void {
  try {
    copyDatabase(path, staged);
    if (staged.endsWith(databaseNames.pool)) removeErasedLogins(staged);
  } catch (error) {
    throw createFileFault(target, error);
  }
}

/** Creates the manifest from the copies, because the folder itself may change meanwhile. */
function describe(job: ArchiveJob, names: readonly BackupMember["name"][], hear: Hear) {
  const members = names.map((name): BackupMember => {
    const path = join(job.staging, name);
    const bytes = statSync(path).size;
    const sha256 = hash(path, (read) => hear(`checking ${name}`, read));
    if (name === settingsName) return { name, bytes, sha256 };
    const { applicationId, form } = summariseDatabase(path, {});
    if (applicationId !== job.applicationIds[name]) {
      const origin = join(job.data, name);
      throw new Fault("wrong_database", `${origin} is not the database that its name says.`);
    }
    return { name, bytes, sha256, form };
  });
  return {
    form: `urn:roster:backup:${chooseArchiveForm(names)}`,
    version: job.version,
    madeAt: job.madeAt,
    ...countHoldings(job.staging, names),
    members,
  };
}

const chunkBytes = 2 ** 20;

function* readChunks(path: string): Generator<Uint8Array<ArrayBuffer>> {
  const file = openSync(path, "r");
  try {
    for (;;) {
      // Each chunk needs a new buffer, because the packer still uses the previous buffer.
      const chunk = new Uint8Array(chunkBytes);
      const read = readSync(file, chunk);
      if (read === 0) return;
      yield chunk.subarray(0, read);
    }
  } finally {
    closeSync(file);
  }
}

function hash(path: string, hear: (bytes: number) => void): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const chunk of readChunks(path)) {
    hasher.update(chunk);
    hear(chunk.length);
  }
  return hasher.digest("hex");
}

async function pack(job: ArchiveJob, manifest: BackupManifest, hear: Hear) {
  const { readable, controller } = createTarPacker();
  const packed = readable.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      // Each chunk becomes its own zstd frame. A zstd reader joins the frames.
      transform: (chunk, into) => into.enqueue(Bun.zstdCompressSync(chunk)),
    }),
  );
  const { recipients, output } = job;
  const sealed = recipients.length > 0 ? await encryptStream(packed, recipients) : undefined;
  const both = [
    addMembers(controller, job, manifest, hear),
    writeOut(sealed?.stream ?? packed, output),
  ] as const;
  // Both sides must have closed their files before an error is thrown.
  await Promise.allSettled(both);
  const [, written] = await Promise.all(both);
  return { written, identity: sealed?.decrypter };
}

async function addMembers(
  controller: TarPackController,
  job: ArchiveJob,
  manifest: BackupManifest,
  hear: Hear,
): Promise<void> {
  const common = { mtime: new Date(manifest.madeAt), mode: 0o600, type: "file" } as const;
  const add = async (name: string, size: number, chunks: Iterable<Uint8Array<ArrayBuffer>>) => {
    const writer = controller.add({ name, size, ...common }).getWriter();
    for (const chunk of chunks) {
      await writer.write(chunk);
      if (name !== manifestName) hear(`packing ${name}`, chunk.length);
    }
    await writer.close();
  };
  try {
    const text = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
    await add(manifestName, text.length, [text]);
    for (const { name, bytes } of manifest.members) {
      const staged = join(job.staging, name);
      await add(name, bytes, readChunks(staged));
      // The copy is packed, so its space can be freed.
      removeFiles(staged);
    }
    controller.finalize();
  } catch (error) {
    controller.error(error);
    throw error;
  }
}

async function writeOut(
  chunks: ReadableStream<Uint8Array>,
  output: string | 1,
  hear?: (bytes: number) => void,
): Promise<WrittenFile> {
  const file = output === 1 ? output : openSync(output, "a", 0o600);
  const write = createSyncedWriter(file);
  const hasher = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      write(chunk);
      hasher.update(chunk);
      bytes += chunk.length;
      hear?.(chunk.length);
    }
    if (fstatSync(file).isFile()) fdatasyncSync(file);
    return { bytes, sha256: hasher.digest("hex") };
  } finally {
    if (file !== 1) closeSync(file);
  }
}

/** The most bytes between two syncs. A sync of more bytes would delay calls. */
const unsyncedBytesMax = 8 * 2 ** 20;
const retryMilliseconds = 5;

function createSyncedWriter(file: number): (bytes: Uint8Array) => void {
  const isFile = fstatSync(file).isFile();
  let unsynced = 0;
  return (bytes) => {
    let rest = bytes;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(file, rest));
      } catch (error) {
        // EAGAIN means that a pipe is full because its reader is slow.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
        Bun.sleepSync(retryMilliseconds);
      }
    }
    unsynced += bytes.length;
    if (!isFile || unsynced < unsyncedBytesMax) return;
    fdatasyncSync(file);
    unsynced = 0;
  };
}
