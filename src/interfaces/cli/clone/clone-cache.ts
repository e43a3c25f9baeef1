/**
 * Stores the indexes of clones in the user's cache folder. An index is removed after 90 days without use. If all indexes have
 * more than 4 GB, the least recently used indexes are removed.
 */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { findCacheFolder } from "../../../config/config.ts";
import { Fault } from "../../../contract/fault.ts";
import { writeAtomically } from "../write-file.ts";
import type { FoundClone } from "./find-clone.ts";
import { deriveIndexName } from "./find-clone.ts";

export interface CloneIndex {
  /** The data folder of the index. */
  readonly folder: string;
  /** The path of the `.git` folder or bare repository of the clone. */
  readonly repository: string;
  readonly usedAt: Date;
  readonly bytes: number;
  /** Whether a person was erased from the index. Such an index is kept, because a new index would contain the person again. */
  readonly hasForgotten: boolean;
}

const dayMs = 86_400_000;
const evictAfterMs = 90 * dayMs;
const bytesMax = 4 * 2 ** 30;
/** An index is kept for this time after its last use, because a command may still be using it. */
const busyMs = dayMs / 24;

interface Note {
  readonly repository: string;
  readonly usedAt: string;
  readonly hasForgotten: boolean;
}

/**
 * Stores the time of use of a clone's index. Before a new index is created, removes old indexes.
 * @returns the data folder of the clone's index.
 * @throws Fault if the cache folder could belong to another user.
 */
export function openCloneCache(clone: FoundClone, now: Date): string {
  const cache = findCacheFolder();
  for (const folder of [dirname(cache), cache]) makeOwnFolder(folder);
  const folder = join(cache, deriveIndexName(clone));
  if (!lstatSync(folder, { throwIfNoEntry: false })) evict(now);
  makeOwnFolder(folder);
  const { hasForgotten = false } = readNote(folder) ?? {};
  writeNote(folder, { repository: clone.repository, usedAt: now.toISOString(), hasForgotten });
  return folder;
}

/** Records that a person was erased from an index. The index is then never removed automatically. */
export function keepForgotten(folder: string): void {
  const note = readNote(folder);
  if (note && !note.hasForgotten) writeNote(folder, { ...note, hasForgotten: true });
}

export function listCloneIndexes(): readonly CloneIndex[] {
  const cache = findCacheFolder();
  if (!lstatSync(cache, { throwIfNoEntry: false })) return [];
  requireOwn(cache);
  return readdirSync(cache, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const folder = join(cache, name);
      const note = readNote(folder);
      const usedAt = new Date(note?.usedAt ?? lstatSync(folder).mtimeMs);
      const { repository = "unknown", hasForgotten = true } = note ?? {};
      return { folder, repository, usedAt, hasForgotten, bytes: measure(folder) };
    })
    .sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime());
}

export function removeCloneIndex({ folder }: Pick<CloneIndex, "folder">): void {
  requireOwn(folder);
  rmSync(folder, { recursive: true, force: true });
  rmSync(noteOf(folder), { force: true });
}

function evict(now: Date): void {
  let bytes = 0;
  for (const index of listCloneIndexes()) {
    bytes += index.bytes;
    const unusedMs = now.getTime() - index.usedAt.getTime();
    const isOver = unusedMs > evictAfterMs || bytes > bytesMax;
    if (isOver && unusedMs > busyMs && !index.hasForgotten) removeCloneIndex(index);
  }
}

function measure(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { name }) => sum + lstatSync(join(folder, name)).size, 0);
}

const noteOf = (folder: string) => `${folder}.json`;

function readNote(folder: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(noteOf(folder), "utf8")) as Note;
  } catch {
    // The file is missing or damaged.
    return undefined;
  }
}

function writeNote(folder: string, note: Note): void {
  writeAtomically(noteOf(folder), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

function makeOwnFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = (error as Error).message;
    throw new Fault("store", `${folder} cannot be made: ${reason}. ${elsewhere}`, { cause: error });
  }
  requireOwn(folder);
  if ((lstatSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** @throws Fault if the folder is a symbolic link or belongs to another user. */
function requireOwn(folder: string): void {
  const found = lstatSync(folder);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (found.isDirectory() && isOwn) return;
  const what = found.isDirectory() ? "belongs to another user" : "is not a folder, or is a link";
  throw new Fault("store", `${folder} ${what}. ${elsewhere}`);
}

const elsewhere = "Set XDG_CACHE_HOME to another cache folder.";
